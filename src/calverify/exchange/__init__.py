"""Logs of other tools: their replies become pools, their marks go beside them, and pools are written as such logs.

| format           | read | write | what it is                                             | a sample's id, by default |
|------------------|------|-------|--------------------------------------------------------|---------------------------|
| inspect          | yes  | yes   | Inspect's .eval (or .json) log                         | id                        |
| lm-eval          | yes  | yes   | lm-eval's samples_*.jsonl                              | doc.id, else doc_id       |
| openai-batch     | yes  | yes   | the output file of an OpenAI batch                     | custom_id                 |
| verifiers        | yes  | -     | verifiers' traces.jsonl, or its older results.jsonl    | task.data.id              |
| nemo-gym         | yes  | -     | NeMo Gym's rollouts.jsonl                              | _ng_task_index            |
| search-and-learn | yes  | yes   | search-and-learn's completions                         | unique_id                 |
| plain            | yes  | yes   | {"prompt": ..., "completions": [...]}                  | id                        |

Rules of the room.
Rule 1: a reader is total: each record of a log becomes candidates or is listed with the reason, whatever it holds.
Rule 2: what a log knows of the answers (its key, its scores) is a mark, and no mark enters a pool by itself.
Rule 3: what a writer writes, the reader of that format reads back to the same pools.
This room opens no file and may not import `keys`.

Reading order: `_logged` (what a reader yields), `_lines` and `_packed` (bytes), `_shelf`, the formats from `plain` on,
`_marks`, `_embedded`, and `_join`, which puts it all together.  The order of the imports below is that in which
`detect` asks.
"""

# isort: off
from calverify.exchange._logged import Logged, Rejected, Said
from calverify.exchange._shelf import (
    READERS,
    WRITERS,
    Reader,
    Writer,
    detect,
    exchange,
    find_reader,
    find_writer,
    writes,
)
from calverify.exchange._marks import Mark, is_grade, is_right
from calverify.exchange._join import AUTO, MATCHES, Imported, Join, import_logs
from calverify.exchange.inspect import read_inspect, write_inspect
from calverify.exchange.lm_eval import read_lm_eval, write_lm_eval
from calverify.exchange.openai_batch import read_openai_batch, write_openai_batch
from calverify.exchange.verifiers import read_verifiers
from calverify.exchange.nemo_gym import read_nemo_gym
from calverify.exchange.search_and_learn import read_search_and_learn, write_search_and_learn
from calverify.exchange.plain import read_plain, write_plain
# isort: on

__all__ = [
    "AUTO",
    "MATCHES",
    "READERS",
    "WRITERS",
    "Imported",
    "Join",
    "Logged",
    "Mark",
    "Reader",
    "Rejected",
    "Said",
    "Writer",
    "detect",
    "exchange",
    "find_reader",
    "find_writer",
    "import_logs",
    "is_grade",
    "is_right",
    "read_inspect",
    "read_lm_eval",
    "read_nemo_gym",
    "read_openai_batch",
    "read_plain",
    "read_search_and_learn",
    "read_verifiers",
    "write_inspect",
    "write_lm_eval",
    "write_openai_batch",
    "write_plain",
    "write_search_and_learn",
    "writes",
]
