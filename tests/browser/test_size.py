"""A report of the paper's size: small enough to mail, and open at once."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.archives import Archive
from calverify.evaluation import Study, study_of
from calverify.keys import Key
from calverify.pools import Candidate, Pool
from calverify.reports import REPORTS, Options, make_report, page
from calverify.sampling import SimulatedPolicy
from tests.browser.reports import write
from tests.known import random_graph

POOLS, K, MEGABYTES, SECONDS = 1_111, 8, 15, 2.0
PROSE = (
    "so the path from treatment over the mediator is blocked because we condition on age and smoking while income "
    "stays open unless a collider such as selection into the hospital is given which would bias what we estimate"
)
WORDS = PROSE.split()


def thought(rng: Random) -> str:
    """A thousand characters that no other trace has."""
    return " ".join(rng.choice(WORDS) + rng.choice(("", "", "", ".", ",")) for _ in range(190))


def study() -> Study:
    """Every pool about a graph of its own, and every trace with thoughts of its own: nothing is said twice."""
    rng = Random("size")
    policy = SimulatedPolicy(right=(Fraction(1, 2), Fraction(1, 5)))
    problems, pools = {}, []
    while len(pools) < POOLS:
        name = f"problem {len(pools)}"
        x, y = rng.sample((graph := random_graph(rng, "dag")).nodes, 2)
        problem = cv.Problem(name, cv.Query(rng.choice(("backdoor", "d_separation")), (x, y)), graph, thought(rng))
        try:
            texts = policy.pool(problem, K, 0).texts
        except cv.CalverifyError:
            continue  # there is nothing to be wrong about in this graph
        thoughts = [f"<think>\n{thought(rng)}\n</think>\n{text}" for text in texts]
        problems[name] = problem
        pools.append(Pool(name, 0, tuple(Candidate(at, text) for at, text in enumerate(thoughts))))
    archive = Archive(problems, tuple(pools), policy.manifest(K))
    return study_of(archive, {name: Key(name, cluster=str(at % 126)) for at, name in enumerate(problems)})


@pytest.mark.property
def test_a_report_of_1111_pools(browser, tmp_path):
    """1,111 pools of 8 traces, with every table: under 15 MB, listed in under 2 s, and a pool in under 2 s more."""
    made = study()
    tables, plots = [], []
    for name in REPORTS:
        more, drawn = make_report(name, [made], Options(draws=20, rates=(Fraction(1, 4),)))
        tables += more
        plots += drawn
    path = write(page([made], tables, plots), tmp_path)
    assert len({text for pool in made.pools.values() for text in pool.texts}) == POOLS * K
    assert path.stat().st_size < MEGABYTES * 1_000_000
    browser.size(1280, 900)
    browser.media()
    opened, inflated = [], []
    for _ in range(3):
        browser.open(path)
        browser.until("document.querySelector('#pool-rows tr')")
        opened.append(browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"))
        inflated.append(browser.run(
            """return (async () => {
              const start = performance.now();
              document.querySelector("#pool-rows a").click();
              while (document.getElementById("pool-view").hidden) await new Promise((done) => setTimeout(done, 5));
              return (performance.now() - start) / 1000;
            })()"""
        ))  # fmt: skip
        assert browser.run("return document.querySelectorAll('.candidates tbody tr').length") == K
    print(f"{path.stat().st_size / 1e6:.1f} MB; opened in {min(opened):.2f} s, the first pool in {min(inflated):.2f} s")
    assert min(opened) < SECONDS
    assert min(inflated) < SECONDS
