"""The sha256 of published files, by which a fetched file is known to be the published one."""

from typing import Final

__all__ = ["BNLEARN", "CLEAR"]

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

BNLEARN: Final = {  # as they lie in the wheel of pgmpy 1.0.0
    "alarm.bif.gz": "f5860caa7137b5817e0c4f169cce0f1451ce6c246b96f5ce4fb4a8167993be29",
    "asia.bif.gz": "7d5e7b8549834824c1b05f367eb7860fa3fca3adaf3649f0c7be6035af197197",
    "barley.bif.gz": "b8a18fdb91701da379f260eea0808bdaa690612f7de9a34397df8d8f5d43afd9",
    "cancer.bif.gz": "dcfafbaadabcd1b8c9ec531e16721a19fc06829e980a3967d6345496ea081818",
    "child.bif.gz": "2bc3236dcbdbf9c9f1bbdeb060aa93c0bdee389d23a549b7248b9d89ed8a980c",
    "hailfinder.bif.gz": "efa122a88c4b550569ec821c7879bed9007f2b1e012e1ea52ea26069c7f26099",
    "hepar2.bif.gz": "f98d4a65c496b79d76b15797e6a6cbeafaff32a17d66a844d8e5b9506d379fcd",
    "insurance.bif.gz": "92bcecd1b85387726af564bf1b50cd400ddbbea1b017303cc54d4654e50a8971",
    "mildew.bif.gz": "06f4342f1bef2eef67988b41382b327ca7bf4b308841534c9a3b3c48ff61189a",
    "sachs.bif.gz": "ed1830fbde101ed50cce3c7a3c8cbf1d2f5225531cf35ff09fb3cec0af101bce",
    "water.bif.gz": "5d506713902c9ea625fae7cd84d0a6f9fad980d5cca926281adeecdd0c039db3",
    "win95pts.bif.gz": "a4987cf8c09d3aa034504b03ea3e5dc01c57ca20228e2bd79ec9a861c3aef684",
}
