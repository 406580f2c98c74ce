"""Pages to look at: many tasks and graphs, two policies, one of them simulated, and a trace that attacks the page."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import calverify as cv
from calverify.archives import Archive, Manifest, Step
from calverify.evaluation import Study, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import REPORTS, Options, Plot, Table, make_report
from calverify.sampling import SimulatedPolicy

HOSTILE = (
    "STEP 1 [graph_extract]: <script>alert(1)</script>\n"
    "</style></script></pre><!-- <![CDATA[ ]]> --> <img src=x onerror=alert(2)>\n"
    "left \u202eright\u202c to left\u200b, a null \0, a bell \a, half a pair \ud800\n"
    "&lt;b&gt; &amp; \"quoted\" 'so' ${alert(3)} {{4*4}} \u2028 javascript:alert(5)\n"
    "ANSWER: {<b>M</b>, </script>}\n"
)
HOSTILE_ID = "w/1&<i>\u202e\"'"

GRAPHS = (
    ("confounded chain", "backdoor", ("X", "Y"), "U -> X, U -> Y, X -> M -> Y, P -> Y"),
    ("two confounders", "backdoor", ("smoking", "cancer"),
     "age -> smoking, age -> cancer, genes -> smoking, genes -> cancer, smoking -> tar -> cancer, tar -> cough"),
    ("m-bias", "backdoor", ("X", "Y"), "A -> X, A -> C, B -> C, B -> Y, X -> Y, D -> X, D -> Y"),
    ("latents", "d_separation", ("X", "Y"), "X <-> Z, Z -> W -> Y, Z <-> Y, X -> V, V -> Y, T"),
    ("front door", "frontdoor", ("X", "Y"), "U -> X, U -> Y, X -> M -> Y, X -> N -> Y"),
    ("cycle", "cycle", (), "A -> B -> C -> A, C -> D -> E -> C, E -> F"),
    ("intervention", "intervention", ("rain", "slip"),
     "season -> rain, season -> sprinkler, rain -> wet, sprinkler -> wet, wet -> slip"),
    ("order", "topological_order", (), "A -> C, B -> C, C -> D, B -> D, D -> E, A -> E"),
    ("path", "directed_path", ("A", "F"), "A -> B -> D -> F, A -> C -> E -> F, B -> E, C -> D"),
)  # fmt: skip


def problems(copies: int) -> dict[str, cv.Problem]:
    """Every graph above, `copies` times, with a question in words."""
    made = {}
    for copy in range(copies):
        for name, task, targets, drawn in GRAPHS:
            problem = f"{name} {copy + 1}"
            text = f"In the study of {name}, someone drew the graph {drawn}. What would you answer?"
            made[problem] = cv.Problem(problem, cv.Query(task, targets), cv.Graph.parse(drawn), text)
    return made


def simulated(label: str, right: Iterable[Fraction], copies: int, k: int = 8, seeds: int = 1) -> Study:
    """A simulated policy on all of them."""
    policy = SimulatedPolicy(label=label, right=tuple(right), wrong=(Fraction(2, 3), Fraction(1, 3)))
    known = problems(copies)
    pools = tuple(pool for problem in known.values() for pool in policy.pools(problem, k, range(seeds)))
    return study_of(Archive(known, pools, policy.manifest(k)), {name: Key(name, cluster=name) for name in known})


def hostile() -> Study:
    """Three pools that were written by hand, one of them to break the page."""
    shown = cv.Problem(HOSTILE_ID, cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U -> X, U -> Y, X -> Y"), HOSTILE)
    own = cv.Problem("own graph", cv.Query("backdoor", ("X", "Y")), None, "Smoke, tar, cancer.", graph_class="dag")
    policy = SimulatedPolicy(label="x")
    good = policy.pool(shown, 5, 0).texts
    drawn = policy.pool(own, 3, 0, graph=cv.Graph.parse("U -> X, U -> Y, X -> Y")).texts
    pools = tuple(
        Pool(problem.id, seed, tuple(Candidate(at, text) for at, text in enumerate(texts)))
        for problem, seed, texts in ((shown, 0, (HOSTILE, *good)), (shown, 1, (HOSTILE,)), (own, 0, (*drawn, HOSTILE)))
    )
    manifest = Manifest("<i>by hand</i>", model="</script>", sampling={"temperature": 0.8, "n": 6}, seeds=(0, 1))
    keys = {shown.id: Key(shown.id), own.id: Key(own.id, graph=cv.Graph.parse("U -> X, U -> Y, X -> Y"))}
    return study_of(Archive({shown.id: shown, own.id: own}, pools, manifest), keys)


def chain(study: Study) -> tuple[Step, ...]:
    """A log of the three steps, as a folder of the study would hold it."""
    files = {"manifest.json": "0" * 64, "pools.jsonl": "1" * 64, "problems.jsonl": "2" * 64}
    sealed = Step("seal", files, keys="3" * 64)
    chosen = Step("select", {**files, "choices.jsonl": "4" * 64}, selectors=study.selectors, admission="admissible",
                  before=sealed.sha256)  # fmt: skip
    return sealed, chosen, Step("reveal", chosen.files, keys="3" * 64, before=chosen.sha256)


def everything(studies: list[Study], draws: int = 200) -> tuple[list[Table], list[Plot]]:
    """The tables and plots of every report on the shelf."""
    tables: list[Table] = []
    plots: list[Plot] = []
    for name in REPORTS:
        more, drawn = make_report(name, studies, Options(draws=draws, rates=(Fraction(1, 4),)))
        tables += more
        plots += drawn
    return tables, plots


def write(page: str, folder: Path) -> Path:
    path = folder / "report.html"
    path.write_bytes(page.encode("utf-8"))
    return path
