"""The Bayesian networks of the bnlearn repository, as graphs: shared by every benchmark that is made from them."""

from calverify.benchmarks._data import DataFolder
from calverify.benchmarks._item import Origin, Remote
from calverify.benchmarks._sums import BNLEARN
from calverify.formats import from_bif
from calverify.graphs import Graph
from calverify.records import located

__all__ = ["NETWORKS", "ORIGIN", "networks"]

WHEEL = (
    "https://files.pythonhosted.org/packages/0f/99/21be371103f6c690eb8653c1624bf1c015ab3a02f4f56da973c7b3c521b8/"
    "pgmpy-1.0.0-py3-none-any.whl"
)
NETWORKS = tuple(name.removesuffix(".bif.gz") for name in BNLEARN)
ORIGIN = Origin(
    folder="bnlearn",
    size="12 networks, 0.6 MB",
    licence="CC BY-SA (the networks; look at their home), MIT (the package that carries them)",
    home="https://www.bnlearn.com/bnrepository",
    files=(
        Remote(
            WHEEL,
            "pgmpy-1.0.0-py3-none-any.whl",
            "7bec23b5507a466a612c19e93ce4b43f156c1293120ef53cf83797ba100c3d29",
            {f"pgmpy/utils/example_models/{name}": (f"bnlearn/{name}", sha256) for name, sha256 in BNLEARN.items()},
        ),
    ),
)


def networks(data: DataFolder) -> dict[str, Graph]:
    """The graph of each of the twelve networks that the folder holds, by name; nodes in the order of the file."""
    present = set(data.names("bnlearn", ".bif.gz"))
    found = {}
    for name in NETWORKS:
        file = f"bnlearn/{name}.bif.gz"
        if file in present:
            text = data.text(file)
            with located(file):
                found[name] = from_bif(text)
    return found
