"""The sha256 of published files, by which a fetched file is known to be the published one."""

from typing import Final

__all__ = ["CLEAR"]

CLEAR: Final = {
    "2_node_relation.json": "f72b9f5b596e0584f8a024098dfd07417e74bd8442d2563403ba13605a9973be",
    "3_node_relation.json": "7915ca2b0a72df34d8fb5217b093b98b76ff513b3541d5e6fb5b4e14a4e6625b",
    "backdoor_adjustment_set.json": "310dbf64c5cc1d9b217d872aec071ed61975aa59654c813b47b47ac861623a99",
    "backdoor_path.json": "605c148bc5f3cac49dbfed69b2b15d3b35f7f117a518148539e2dcde5343c143",
    "blocked_path.json": "59b733cdca7d7747ae6d16935d061304858499b52749e58c0b14246c70b0978d",
    "c-component.json": "bb5a6042abd9a84c6633607282c56d13c691d3c99172385af1376f6687a2a14e",
    "c-forest.json": "a1c8b9049d9a6d0f7eb68b875ae0d88dcb3fccee1e7ffc7f71955d97011711ce",
    "c-tree.json": "dd03fbda9d9e3cbbd6f340cd719abbe4747bac36e5bcb56e3d8f14fff13f21d5",
    "cycle.json": "abe54b549780c4a557e217da1e8b27f6bd25980eee0238a000554ed090c4b597",
    "d-separation.json": "543e8b6138cdc914a1145751d535941fcfe81d09304a86dd5952a49637e507b0",
    "directed_path.json": "88ab295295b5ba7e5d74c4c68ff6ccb3c2549767b6b6b1ce34df57785623f8f0",
    "edge.json": "9fd1534706ab3023931939dd3ff8f859cb7d2a1858ac0496dd7f1e33e43e37b5",
    "frontdoor_adjustment_set.json": "90ed22ec350972af3d6f3683575f8e8ffae9c3aa4cac4d026fdf08f46ce09568",
    "identification.json": "acc991fe56c7679d88bab687685f40ca83c9e0ba1eab508fa47ceac281c5e823",
    "markov_blanket.json": "fa2e55e4d3e9fa95679b9779db1dad8c42aaba9871d3ba80ec73e2c8a19da6e5",
    "markov_equivalent.json": "f4c2c1a9a29e230ab8173677e015af5ade14bfa4d69527a141009e218bc8c7c6",
    "maximal_root_set.json": "bf8fb56d5d7a415bc8a0fb66797937e405135a0657bbe5b3310645741f27c047",
    "node.json": "d879fac52316b44e1c019ae70b32b17c57608315ae5ef3df81c505a1a7dd5b90",
    "path.json": "866268311c6352488e67c173224ff4f2434663065f648a5e9074224e850b1d39",
    "topological.json": "07cf16de5a89079dfceab02973b45b92d7f048a349bdecd363b39364cf3d6e86",
}
