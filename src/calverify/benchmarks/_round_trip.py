"""The round trip: edges told in words, read back, and compared with what was told.

Rule 1: level 1 is read back by its own sentence, "A has a direct effect on B and C.", and by nothing laxer.
Rule 2: levels 2 and 3 are written by a model and read back by a model, which sees the text and the names only.  The
prompts are fixed here, before any policy has seen a problem.
Rule 3: how faithful a text is, is the F1 of the edges read back, exact; a reply that cannot be read is no reading.
"""

from collections.abc import Collection
from fractions import Fraction
from typing import Final

from calverify.errors import RecordError
from calverify.graphs import Graph, edge_f1
from calverify.names import brief, listing
from calverify.records import read_strict_json

__all__ = [
    "LEVELS",
    "RELAXED",
    "STRICT",
    "faithfulness",
    "read_reply",
    "reading_prompt",
    "stated_edges",
    "writing_prompt",
]

STRICT, RELAXED = Fraction(1), Fraction(4, 5)
MOST_REPLY = 100_000  # characters of a reply that are looked at
SAYS: Final = " has a direct effect on "

Edges = frozenset[tuple[str, str]]

LEVELS = {
    "l2": (
        "Describe how the variables below act on each other, in one paragraph, as a scientist describes a mechanism. "
        "Every relation of the list must be in the text, with the direction that it has, as a direct one. Do not "
        "write a list, do not use arrows, and do not say 'direct effect'."
    ),
    "l3": (
        "Tell a short everyday story in which the variables below act on each other. Every relation of the list must "
        "be in the story, with the direction that it has, as a direct one. Tell them in another order than they are "
        "listed, and add two or three sentences of scenery that say nothing about causes. Do not write a list, do not "
        "use arrows, and do not say 'direct effect'."
    ),
}


def writing_prompt(level: str, graph: Graph) -> str:
    """What the writer of a level is asked; it sees the source graph, and never the question."""
    relations = "\n".join(f"{tail} acts on {head}" for tail, head in graph.directed)
    return (
        f"{LEVELS[level]} Write each variable exactly as it is spelled here. Mention no other causal relation.\n\n"
        f"Variables: {', '.join(sorted(graph.nodes))}\nRelations:\n{relations}\n\nReply with the text only."
    )


def reading_prompt(text: str, names: Collection[str]) -> str:
    """What the reader is asked; it sees what a policy will see."""
    return (
        f"{text}\n\nVariables: {', '.join(sorted(names))}\n\nList every direct causal relation that this text states "
        "between these variables, and no other, as a JSON list of [cause, effect] pairs, spelled as above. Reply with "
        "the JSON list only."
    )


def stated_edges(text: str, names: Collection[str]) -> Edges:
    """The edges of a text of level 1; any other sentence, and any other name, is refused."""
    found = set()
    for sentence in text.removesuffix(".").split(". "):
        cause, says, effects = sentence.partition(SAYS)
        *some, last = effects.split(" and ")
        heads = [name for part in some for name in part.split(", ")] + [last]
        if not says or not {cause, *heads} <= {*names}:
            known = listing(sorted(names))
            raise RecordError(f"{brief(sentence)}: expected 'A has a direct effect on B and C' about {known}")
        found |= {(cause, head) for head in heads}
    return frozenset(found)


def read_reply(reply: str, names: Collection[str]) -> Edges | None:
    """The pairs of the last JSON list of a reply; None where there is none, or a pair is none of two names."""
    start, end = _last_list(reply[-MOST_REPLY:])
    try:
        pairs = read_strict_json(reply[-MOST_REPLY:][start:end])
    except RecordError:
        return None
    if not isinstance(pairs, list):
        return None
    found = set()
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            return None
        tail, head = (name.strip() for name in pair)
        if tail not in names or head not in names or tail == head:
            return None
        found.add((tail, head))
    return frozenset(found)


def _last_list(text: str) -> tuple[int, int]:
    """Where the last list that closes begins and ends: brackets are counted from its end."""
    end = text.rfind("]") + 1
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += {"]": 1, "[": -1}.get(text[at], 0)
        if depth == 0:
            return at, end
    return 0, 0


def faithfulness(edges: Edges, source: Graph) -> Fraction:
    """The F1 of the edges that were read back."""
    return edge_f1(Graph(source.nodes, sorted(edges), kind="directed"), source)
