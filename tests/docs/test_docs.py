"""Everything in the README and in docs/ is true of the code: blocks run, links lead somewhere, pages are up to date.

What a block is, by the word behind its fence:

    python   runs, with what the page ran before it; where it has prompts (>>>), what is shown is compared
             (... is any text)
    console  lines after "$ " run as the shell would, in a folder of the page's own; what is shown is compared
    NAME.EXT behind the language (```json problem.json): the block is that file in the folder
    sh       commands for the reader's own machine: not run
    others   are only looked at
"""

import doctest
import importlib.util
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN_BY_BENCH = DOCS / "performance.md"  # its numbers are measured, and differ from machine to machine
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LANGUAGES = {"python", "console", "json", "text", "sh", "dot", "toml"}

FENCE = re.compile(r"^```(\S*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`]*`")
NUMBER = re.compile(r"^\d+\. ")
TWO_SENTENCES = re.compile(r"[a-z0-9)\"'][.!?] +[A-Z`]")


class Block(NamedTuple):
    """A fenced block: its language, the file it is (or ""), its text, and its first line in the page."""

    language: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        yield Block(found[1], found[2], found[3], text.count("\n", 0, found.start(3)) + 1)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    """The page without its blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


# ---------------------------------------------------------------- blocks run


def run_python(block: Block, page: Path, names: dict) -> None:
    if ">>>" not in block.text:
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        exec(code, names)
        return
    said: list[str] = []
    case = doctest.DocTestParser().get_doctest(block.text, names, name_of(page), str(page), block.line - 1)
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(case, out=said.append, clear_globs=False)
    names.update(case.globs)
    assert not said, "".join(said)


def commands_of(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block and what is shown under it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while command.endswith("\\"):
            more, _, shown = shown.partition("\n")
            command = command[:-1] + more.lstrip().removeprefix("> ")
        yield command, shown


def run_command(command: str, monkeypatch, capsys) -> str:
    """What `calverify ...` writes; "NAME=value calverify" and "< file" mean what they mean to a shell."""
    words = shlex.split(command)
    with monkeypatch.context() as patch:
        while "=" in words[0]:
            patch.setenv(*words.pop(0).split("=", 1))
        stdin = b""
        if "<" in words:
            at = words.index("<")
            stdin = Path(words[at + 1]).read_bytes()
            del words[at : at + 2]
        assert words[0] == "calverify", f"{command}: only calverify runs here"
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit):
            main(words[1:])
        written = capsys.readouterr()
        return written.out + written.err


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_run(page, tmp_path, monkeypatch, capsys):
    """What a page shows is what happens, block by block from its top."""
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "page"}
    monkeypatch.setitem(sys.modules, "page", type(sys)("page"))
    shelves = [(shelf, list(shelf)) for shelf in (cv.TASKS, cv.SELECTORS, BENCHMARKS)]
    try:
        for block in blocks(page):
            if block.file:
                (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / block.file).write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                run_python(block, page, names)
            elif block.language == "console":
                for command, shown in commands_of(block):
                    found = run_command(command, monkeypatch, capsys)
                    assert found == shown, f"{name_of(page)}:{block.line}: $ {command}"
    finally:
        for shelf, put_up in shelves:
            for name in [name for name in shelf if name not in put_up]:
                del shelf._entries[name]  # a page that adds a task or a selector adds it for itself


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_are_of_a_known_kind(page):
    """A block whose language nobody knows would never be checked."""
    known = LANGUAGES | {""} if page == WRITTEN_BY_BENCH else LANGUAGES
    assert [block for block in blocks(page) if block.language not in known] == []
    assert page.read_text("utf-8").count("\n```") == 2 * len(list(blocks(page)))


# ---------------------------------------------------------------- pages hang together


def anchors(page: Path) -> set[str]:
    """The anchors that a reader of markdown makes of the headings."""
    return {
        "".join(char for char in heading.lower().replace(" ", "-") if char.isalnum() or char in "-_")
        for heading in HEADING.findall(prose(page))
    }


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    """Every link within the project leads to a file, and to a heading of it where it names one."""
    broken = []
    for target in LINK.findall(INLINE_CODE.sub("", prose(page))):
        if target.startswith(("https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        if there == WRITTEN_BY_BENCH and not there.exists():
            continue
        if not there.exists() or not there.is_relative_to(ROOT) or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def test_every_page_can_be_reached():
    """From the README, by links alone."""
    seen, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        links = [link.partition("#")[0] for link in LINK.findall(prose(page)) if not link.startswith("https://")]
        todo += [there for link in links if link and (there := (page.parent / link).resolve()).exists()]
    assert [name_of(page) for page in PAGES if page not in seen] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page != WRITTEN_BY_BENCH], ids=name_of)
def test_one_sentence_a_line(page):
    """So that a change of a sentence is a change of a line."""
    lines = [line for line in prose(page).splitlines() if not line.startswith(("|", "<!--"))]
    assert [line for line in lines if TWO_SENTENCES.search(NUMBER.sub("", INLINE_CODE.sub("`x`", line)))] == []


# ---------------------------------------------------------------- pages keep up with the code


def generator():
    """docs/generate.py as a module."""
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_up_to_date():
    """`make docs` would change nothing."""
    stale = [
        name for name, text in generator().pages().items() if (DOCS / "reference" / name).read_text("utf-8") != text
    ]
    assert stale == [], "run `make docs`"


def test_nothing_else_stands_among_the_generated_pages():
    """A page that is no longer written is no longer there."""
    assert {file.name for file in (DOCS / "reference").iterdir()} == set(generator().pages())


def test_every_task_is_told_about():
    """Each task has a heading in concepts/predicates.md."""
    assert set(cv.TASKS) - anchors(DOCS / "concepts" / "predicates.md") == set()


def test_every_public_name_is_told_about():
    """Each name of `calverify.__all__` stands in the guide for Python."""
    text = (DOCS / "guides" / "use-from-python.md").read_text("utf-8")
    assert [name for name in cv.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_every_format_is_told_about():
    """Each graph format stands in its guide, with its suffixes."""
    from calverify.formats import FORMATS

    text = (DOCS / "guides" / "read-graphs.md").read_text("utf-8")
    said = [name for name, row in FORMATS.items() for word in (f"`{name}`", *row.suffixes) if word not in text]
    assert said == []


def test_every_report_is_told_about():
    """Each report has a row in concepts/evaluation.md."""
    from calverify.reports import REPORTS

    text = (DOCS / "concepts" / "evaluation.md").read_text("utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE) == list(REPORTS)


def test_the_readme_names_every_room():
    """The map has a line for each room of the package, and for no other."""
    text = (ROOT / "README.md").read_text("utf-8")
    on_the_map = set(re.findall(r"^\d+\. `([a-z_]+)(?:\.py|/)`", text, re.MULTILINE))
    source = Path(cv.__file__).parent
    rooms = {path.stem for path in source.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert on_the_map == {room for room in rooms if not room.startswith("__")}
