"""How the pools came about and what proves it: the manifest of each study, its hashes, and the chain of its log."""

from collections.abc import Mapping, Sequence
from typing import Any

from calverify.archives import Manifest, Ratings, Step
from calverify.evaluation import Study
from calverify.names import listing
from calverify.reports._page_markup import Markup, join, tag
from calverify.sampling import DECODINGS

__all__ = ["about_markup", "is_simulated", "notices_of"]

SIMULATED = (
    "Simulated: no language model wrote these pools. They were drawn from a known distribution, so that what a "
    "selector should do is known."
)
UNSEALED = (
    "Not sealed: the keys were not committed before the choices were made, so nothing here proves that choosing was "
    "blind."
)
STEPS = {
    "seal": "The keys were committed by their hash, before anything was chosen.",
    "select": "The selectors chose, in a process that cannot open the keys.",
    "reveal": "Nothing had changed since, and the keys were opened.",
}


def is_simulated(manifest: Manifest) -> bool:
    """Does the manifest say that no model wrote the pools?"""
    said = (manifest.policy.split(" ")[0], manifest.model, manifest.sampling.get("backend"))
    return "simulated" in said


def is_sealed(steps: Sequence[Step]) -> bool:
    """Were the keys committed?"""
    return any(step.step == "seal" for step in steps)


def notices_of(labels: Sequence[str], studies: Sequence[Study], logs: Sequence[Sequence[Step]]) -> list[str]:
    """What a reader has to know before any number: which studies are simulated, which were held to a form by a grammar,
    and which were not chosen blind.
    """
    simulated = [label for label, study in zip(labels, studies, strict=True) if is_simulated(study.manifest)]
    open_ones = [label for label, steps in zip(labels, logs, strict=True) if not is_sealed(steps)]
    held: dict[str, list[str]] = {}
    for label, study in zip(labels, studies, strict=True):
        form = study.manifest.sampling.get("decoding")
        if form in DECODINGS and form != "free":
            held.setdefault(f"Not free text: {DECODINGS[form]}.", []).append(label)
    return [
        f"{said} ({'all studies' if len(named) == len(labels) > 1 else ', '.join(named)})"
        for said, named in ((SIMULATED, simulated), *held.items(), (UNSEALED, open_ones))
        if named
    ]


def about_markup(label: str, study: Study, steps: Sequence[Step], place: str) -> Markup:
    """One study: who sampled, how, from what, and the steps that were taken with the keys."""
    manifest = study.manifest
    warning = tag("p", SIMULATED, class_="warning") if is_simulated(manifest) else ""
    facts = tag("dl", *(part for name, value in _facts(study) for part in (tag("dt", name), tag("dd", value))))
    files = tag("dl", *(part for name, frozen in sorted(manifest.files.items()) for part in (
        tag("dt", name), tag("dd", _hash(frozen.sha256), f" {frozen.records:,} records"))))  # fmt: skip
    hashes = tag("div", tag("h4", "Frozen files (sha256)"), files) if manifest.files else ""
    chain = tag("div", tag("h4", "The log"), _log(steps))
    return tag("section", tag("h3", label), warning, facts, hashes, chain, class_="about", id=place)


def _facts(study: Study) -> list[tuple[str, Any]]:
    manifest = study.manifest
    pools = [study.pools[unit.problem, unit.seed] for unit in study.units]
    candidates = sum(map(len, pools))
    rated = [(f"Stored {name}", _ratings(ratings)) for name, ratings in sorted(manifest.scores.items())]
    facts = [
        ("Policy", manifest.policy),
        ("Model", manifest.model),
        ("Adapter", manifest.adapter),
        ("Quantisation", manifest.quantisation),
        ("Prompt version", manifest.prompt_version),
        ("Sampling", _settings(manifest.sampling)),
        ("Seeds", listing(list(map(str, manifest.seeds)))),
        ("Size", f"{len(study.units):,} pools of {len({unit.problem for unit in study.units}):,} problems, "
                 f"{candidates:,} candidates"),
        ("Scorer version", manifest.scorer_version),
        ("Corpus (sha256)", _hash(manifest.corpus) if manifest.corpus else None),
        ("Command", tag("code", manifest.command) if manifest.command else None),
        *rated,
    ]  # fmt: skip
    return [(name, value) for name, value in facts if value]


def _settings(settings: Mapping[str, Any]) -> str:
    """By name: stop A B, temperature 0.8."""
    said = {name: " ".join(value) if isinstance(value, list) else value for name, value in settings.items()}
    return ", ".join(f"{name} {said[name]}" for name in sorted(said))


def _ratings(ratings: Ratings) -> str:
    """Who gave the scores and how, and of how many candidates it failed to."""
    told = [ratings.model, ratings.revision, ratings.adapter, ratings.quantisation]
    prompt = f"prompt {ratings.prompt_version}" if ratings.prompt_version else None
    counts = f"{ratings.rated:,} rated, {ratings.failed:,} failed"
    return ", ".join(filter(None, [*told, prompt, _settings(ratings.settings), counts]))


def _hash(digest: str) -> Markup:
    return tag("code", digest, class_="hash")


def _log(steps: Sequence[Step]) -> Markup:
    if not is_sealed(steps):
        before = tag("p", UNSEALED, class_="warning")
        return join([before, _chain(steps)]) if steps else before
    return _chain(steps)


def _chain(steps: Sequence[Step]) -> Markup:
    """The steps in order, each with the hash of its line and what it was done with."""
    return tag("ol", *map(_step, steps), class_="chain")


def _step(step: Step) -> Markup:
    rows: list[tuple[str, object]] = [("this line", _hash(step.sha256))]
    rows.append(("line before", _hash(step.before) if step.before else "none: this is the first"))
    if step.keys:
        rows.append(("keys", _hash(step.keys)))
    if step.selectors:
        rows.append(("selectors", ", ".join(step.selectors)))
    if step.admission:
        rows.append(("admission", step.admission))
    rows += [(name, _hash(digest)) for name, digest in sorted(step.files.items())]
    listed = tag("dl", *(part for name, value in rows for part in (tag("dt", name), tag("dd", value))))
    details = tag("details", tag("summary", "Hashes"), listed)
    return tag("li", tag("p", tag("strong", step.step), " ", STEPS[step.step]), details)
