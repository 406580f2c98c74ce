"""A model out of its JSON record, latents and all, enumerated by truncated factorisation.  Slow, obvious.

Reads the record only, as a reader of a printed counter-model would: rows run over the parents, then the latents.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from tests.oracles.expressions import Joint, Model


def model_of(record) -> Model:
    """What the record says, as distributions: `under({})` is the observed one."""
    names = tuple(node["name"] for node in record["nodes"])
    domain = {node["name"]: range(node["values"]) for node in record["nodes"]}
    sizes = {each["name"]: each["values"] for each in record["nodes"] + record["latents"]}
    tables = {}
    for node in record["nodes"]:
        above = node["parents"] + node["latents"]
        rows = product(*(range(sizes[name]) for name in above))
        shares = [[Fraction(share) for share in row] for row in node["rows"]]
        tables[node["name"]] = above, dict(zip(rows, shares, strict=True))
    known: dict[tuple, Joint] = {}

    def under(do: Mapping[str, int]) -> Joint:
        key = tuple(sorted(do.items()))
        if key not in known:
            known[key] = _joint(names, domain, record["latents"], tables, do)
        return known[key]

    return Model(names, under, domain)


def _joint(names, domain, latents, tables, do) -> Joint:
    masses: dict[tuple[int, ...], Fraction] = {}
    for states in product(*(range(latent["values"]) for latent in latents)):
        hidden = dict(zip((latent["name"] for latent in latents), states, strict=True))
        start = Fraction(1)
        for latent in latents:
            start *= Fraction(latent["row"][hidden[latent["name"]]])
        for row in product(*([do[name]] if name in do else domain[name] for name in names)):
            at = {**hidden, **dict(zip(names, row, strict=True))}
            mass = start
            for name, (above, shares) in tables.items():
                if name not in do:
                    mass *= shares[tuple(at[other] for other in above)][at[name]]
            masses[row] = masses.get(row, Fraction(0)) + mass
    return masses


def flaws(record, graph) -> list[str]:
    """Why the record is no positive model of the graph, as far as the graph reaches; [] when it is one."""
    found = []
    names = [node["name"] for node in record["nodes"]]
    arcs = {frozenset(latent["ends"]): latent["name"] for latent in record["latents"]}
    for node in record["nodes"]:
        name = node["name"]
        if set(node["parents"]) != {tail for tail, head in graph.directed if head == name}:
            found.append(f"{name} has the wrong parents")
        spouses = {frozenset(arc) for arc in graph.bidirected if name in arc and set(arc) <= set(names)}
        if sorted(node["latents"]) != sorted(arcs[arc] for arc in spouses):
            found.append(f"{name} has the wrong latents")
    rows = [latent["row"] for latent in record["latents"]] + [row for node in record["nodes"] for row in node["rows"]]
    for row in rows:
        shares = [Fraction(share) for share in row]
        if min(shares) <= 0 or sum(shares) != 1:
            found.append(f"{row} is no positive distribution")
    return found
