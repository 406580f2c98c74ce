"""The rules that keep the code readable, checked on its syntax trees; a failure names the file, the line and the rule.

Reading order: the tables, one small function a rule, then the rows that prove that each rule can fail.
"""

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "calverify"

# Imports point down: a room may import the rooms of any line above its own here, never one of its own line.
LAYERS = (
    {"recheck"},  # checks our proofs again, so it may not even share our errors
    {"errors", "names"},
    {"records", "registry"},
    {"graphs", "logic"},
    {"effects", "docalculus"},
    {"problem"},
    {"traces", "pools"},
    {"tasks"},
    {"scoring"},
    {"selectors"},
    {"calverify"},  # the public face, calverify/__init__.py
    # ---- firewall ----
    {"formats", "keys", "archives"},
    {"sampling", "benchmarks", "exchange"},
    {"evaluation"},
    {"reports"},
    {"serving", "training"},
    {"studies"},
    {"cli"},
    {"__main__"},
)
RANK = {room: rank for rank, layer in enumerate(LAYERS) for room in layer}
KERNEL = {room for room in RANK if RANK[room] <= RANK["calverify"]}
BLIND = KERNEL | {"archives", "sampling", "exchange", "reports", "serving", "training"}  # these may not import keys

# What the kernel may not import: it touches no disk, network, process, clock or chance.
WORLD = {"datetime", "http", "io", "os", "pathlib", "random", "socket", "subprocess", "time", "urllib"}
WORLD_ALLOWED: dict[str, set[str]] = {}  # file -> modules, each with a comment that says why
TYPES_ONLY = {"random"}  # the annotation of an `rng` argument, under TYPE_CHECKING

MOST_LINES_IN_A_FUNCTION = 60
MOST_PARAMETERS = 6
MOST_LINES_IN_A_MODULE = 400
BROAD_EXCEPT_ALLOWED = {"sampling/retry.py", "serving/app.py"}
FORBIDDEN_BUILTINS = {"eval", "exec", "compile"}
FORBIDDEN_EVERYWHERE = {"pickle", "signal"}  # in the kernel, and outside it too
NAMELESS = {"base", "common", "core", "helper", "helpers", "manager", "util", "utils"}
RE_WITHOUT_MATCHING = {"Match", "Pattern", "error", "escape"}  # and the flags, which are capitals


# ---------------------------------------------------------------- reading the source


@dataclass(frozen=True)
class Import:
    """One imported name: `module` is absolute, `name` is None for a plain `import module`."""

    line: int
    module: str
    name: str | None
    types_only: bool

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def room(self) -> str | None:
        """The room of calverify this reaches; None for another package."""
        dotted = self.module if self.name is None else f"{self.module}.{self.name}"
        package, *inside = dotted.split(".")
        if package != "calverify":
            return None
        return inside[0] if inside and inside[0] in RANK else "calverify"


@dataclass(frozen=True)
class Module:
    """One file: `path` is relative to src/calverify."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def dotted(self) -> str:
        return ".".join(["calverify", *self.path.removesuffix(".py").removesuffix("__init__").strip("/").split("/")])

    @property
    def room(self) -> str:
        return "calverify" if self.path == "__init__.py" else self.path.split("/")[0].removesuffix(".py")

    @property
    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    @cached_property
    def imports(self) -> list[Import]:
        guarded = {id(node) for top in ast.walk(self.tree) if _asks_type_checking(top) for node in _body_of(top)}
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [Import(node.lineno, alias.name, None, id(node) in guarded) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = self._absolute(node)
                found += [Import(node.lineno, module, alias.name, id(node) in guarded) for alias in node.names]
        return found

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = ["calverify", *self.path.split("/")[:-1]]
        inside = package[: len(package) - node.level + 1]
        return ".".join([*inside, *([node.module] if node.module else [])])


def _asks_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING"


def _body_of(node: ast.AST) -> Iterator[ast.AST]:
    return (inner for statement in node.body for inner in ast.walk(statement))


def _name(node: ast.AST | None) -> str | None:
    """The last word of `Name` or `some.Attribute`."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


# ---------------------------------------------------------------- the rules

Breach = tuple[int, str]
Rule = Callable[[Module], Iterator[Breach]]
RULES: dict[str, Rule] = {}


def rule(check: Rule) -> Rule:
    RULES[check.__name__] = check
    return check


@rule
def imports_point_down(module: Module) -> Iterator[Breach]:
    here = module.room
    if here not in RANK:
        yield 1, f"the room {here!r} has no place yet: add it to LAYERS"
        return
    for entry in module.imports:
        there = entry.room
        if there and there != here and RANK[there] >= RANK[here]:
            yield entry.line, f"{here} imports {there}, which is not below it"


@rule
def keys_stay_behind_the_firewall(module: Module) -> Iterator[Breach]:
    for entry in module.imports:
        if module.room in BLIND and entry.room == "keys":
            yield entry.line, f"{module.room} may never see a reference answer"


@rule
def rooms_are_entered_by_their_door(module: Module) -> Iterator[Breach]:
    for entry in module.imports:
        if entry.room in (None, "calverify", module.room):
            continue
        behind = entry.module.split(".")[2:] or [entry.name or ""]
        if len(entry.module.split(".")) > 2 or (behind[0].startswith("_") and not behind[0].startswith("__")):
            yield entry.line, f"{behind[0]} is inside {entry.room}: import from calverify.{entry.room}"


@rule
def kernel_imports_the_standard_library_only(module: Module) -> Iterator[Breach]:
    for entry in module.imports:
        if module.room in KERNEL and entry.top not in sys.stdlib_module_names | {"calverify"}:
            yield entry.line, f"{entry.top} is not in the standard library"


@rule
def kernel_leaves_the_world_alone(module: Module) -> Iterator[Breach]:
    for entry in module.imports:
        fine = entry.top in WORLD_ALLOWED.get(module.path, ()) or (entry.types_only and entry.top in TYPES_ONLY)
        if module.room in KERNEL and entry.top in WORLD and not fine:
            yield entry.line, f"{entry.top} reaches outside: take the value as an argument"


@rule
def recheck_stands_alone(module: Module) -> Iterator[Breach]:
    """Whoever audits us reads this folder and nothing else, a file in one sitting."""
    if module.room != "recheck":
        return
    for entry in module.imports:
        if entry.top not in sys.stdlib_module_names and entry.room != "recheck":
            yield entry.line, f"{entry.module} is not part of recheck"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("calverify"):
            yield node.lineno, "the folder may be copied out: write `from .`"
    lines = len(module.text.splitlines())
    if lines >= MOST_LINES_IN_A_MODULE:
        yield lines, f"{lines} lines, and there must be under {MOST_LINES_IN_A_MODULE}"


@rule
def functions_are_short(module: Module) -> Iterator[Breach]:
    for function in module.functions:
        lines = function.end_lineno - function.lineno + 1
        if lines > MOST_LINES_IN_A_FUNCTION:
            yield function.lineno, f"{function.name} has {lines} lines, at most {MOST_LINES_IN_A_FUNCTION}"


@rule
def signatures_are_narrow(module: Module) -> Iterator[Breach]:
    for function in module.functions:
        args = function.args
        names = [arg.arg for arg in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg) if arg]
        count = len(names) - (names[:1] in (["self"], ["cls"]))
        if count > MOST_PARAMETERS:
            yield function.lineno, f"{function.name} takes {count} parameters, at most {MOST_PARAMETERS}"


@rule
def modules_are_short(module: Module) -> Iterator[Breach]:
    lines = len(module.text.splitlines())
    if lines > MOST_LINES_IN_A_MODULE:
        yield lines, f"{lines} lines, at most {MOST_LINES_IN_A_MODULE}"


@rule
def modules_say_what_they_are(module: Module) -> Iterator[Breach]:
    if not ast.get_docstring(module.tree):
        yield 1, "the module has no docstring"


@rule
def modules_have_a_subject(module: Module) -> Iterator[Breach]:
    for part in module.path.removesuffix(".py").split("/"):
        if part.strip("_") in NAMELESS:
            yield 1, f"{part!r} names no subject"


@rule
def broad_excepts_are_listed(module: Module) -> Iterator[Breach]:
    if module.path in BROAD_EXCEPT_ALLOWED:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        elif isinstance(node, ast.Call) and _name(node.func) == "suppress":
            caught = node.args
        else:
            continue
        if any(kind is None or _name(kind) in {"Exception", "BaseException"} for kind in caught):
            yield node.lineno, "catches everything: name what can go wrong"


@rule
def no_text_becomes_code(module: Module) -> Iterator[Breach]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and node.id in FORBIDDEN_BUILTINS:
            yield node.lineno, f"{node.id} runs text as code"
    for entry in module.imports:
        if entry.top in FORBIDDEN_EVERYWHERE:
            yield entry.line, f"{entry.top} has no use here"


@rule
def defaults_are_immutable(module: Module) -> Iterator[Breach]:
    displays = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    makers = {"list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter"}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if isinstance(default, displays) or (isinstance(default, ast.Call) and _name(default.func) in makers):
                    yield default.lineno, "a default that every call shares"


@rule
def patterns_are_named_at_the_top(module: Module) -> Iterator[Breach]:
    """`NAME = re.compile(...)` and nothing else, so that the test of the patterns below sees every one of them."""
    named = {
        id(statement.value.func)
        for statement in module.tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Call)
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import) and any(alias.name == "re" and alias.asname for alias in node.names):
            yield node.lineno, "re under another name"
        elif isinstance(node, ast.ImportFrom) and node.module == "re":
            yield node.lineno, "write `import re`"
        elif isinstance(node, ast.Attribute) and _name(node.value) == "re":
            compiled = node.attr == "compile" and id(node) in named
            if not (compiled or node.attr in RE_WITHOUT_MATCHING or node.attr.isupper()):
                yield node.lineno, f"re.{node.attr}: give the pattern a name at the top, with re.compile"


def backtracks(pattern: re.Pattern) -> list[str]:
    """Why matching `pattern` may try a text twice; [] when it cannot."""
    return list(_retries(re._parser.parse(pattern.pattern, pattern.flags)))


def _retries(parsed: re._parser.SubPattern) -> Iterator[str]:
    for op, argument in parsed:
        if op in (re._constants.MAX_REPEAT, re._constants.MIN_REPEAT):
            least, most, body = argument
            if least != most:
                yield f"a repeat of {least} to {most} gives text back: write the possessive *+ ++ ?+"
            elif most > 1 and any(inner is re._constants.BRANCH for inner in _ops(body)):
                yield f"{most} times an alternation: make the group atomic"
        for part in _parts(argument):
            yield from _retries(part)


def _ops(parsed: re._parser.SubPattern) -> Iterator[object]:
    for op, argument in parsed:
        yield op
        for part in _parts(argument):
            yield from _ops(part)


def _parts(argument: object) -> Iterator[re._parser.SubPattern]:
    if isinstance(argument, re._parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for inner in argument:
            yield from _parts(inner)


# ---------------------------------------------------------------- the source keeps every rule

MODULES = [
    Module(path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8"))
    for path in sorted(SOURCE.rglob("*.py"))
]
WITH_PATTERNS = [module for module in MODULES if "re.compile(" in module.text]


def test_there_is_source_to_check():
    """Every check below would pass on an empty folder."""
    assert "calverify/__init__.py" in {f"calverify/{module.path}" for module in MODULES}


@pytest.mark.parametrize("name", RULES)
def test_source_keeps(name):
    breaches = [
        f"src/calverify/{module.path}:{line}: {name}: {why}" for module in MODULES for line, why in RULES[name](module)
    ]
    assert not breaches, "\n" + "\n".join(breaches)


@pytest.mark.parametrize("module", WITH_PATTERNS, ids=lambda module: module.path)
def test_no_pattern_backtracks(module):
    """The running modules are asked, so a pattern put together from parts is seen whole."""
    names = vars(importlib.import_module(module.dotted))
    patterns = {name: value for name, value in names.items() if isinstance(value, re.Pattern)}
    assert patterns, f"src/calverify/{module.path}: re.compile is called, but no module-level name holds a pattern"
    breaches = [
        f"src/calverify/{module.path}: {name}: {why}" for name, value in patterns.items() for why in backtracks(value)
    ]
    assert not breaches, "\n" + "\n".join(breaches)


# ---------------------------------------------------------------- every rule can fail

LONG = "def f():\n" + "    x = 1\n" * 60

BROKEN = [
    ("imports_point_down", "graphs/_walk.py", "from calverify.tasks import task"),
    ("imports_point_down", "graphs/_walk.py", "def f():\n    from ..tasks import task"),
    ("imports_point_down", "graphs/__init__.py", "from calverify import logic"),
    ("imports_point_down", "traces/_read.py", "import calverify.pools"),
    ("imports_point_down", "scoring/__init__.py", "from calverify import Graph"),
    ("imports_point_down", "scoring/__init__.py", "import calverify"),
    ("imports_point_down", "__init__.py", "from . import evaluation"),
    ("imports_point_down", "elsewhere.py", "x = 1"),
    ("keys_stay_behind_the_firewall", "selectors/calver.py", "from calverify.keys import Key"),
    ("keys_stay_behind_the_firewall", "sampling/openai.py", "from calverify import keys"),
    ("keys_stay_behind_the_firewall", "serving/app.py", "from ..keys import Key"),
    ("keys_stay_behind_the_firewall", "training/grpo.py", "def f():\n    import calverify.keys"),
    ("keys_stay_behind_the_firewall", "reports/policies.py", "from calverify.keys import Key"),
    ("keys_stay_behind_the_firewall", "__init__.py", "from calverify.keys import Key"),
    ("rooms_are_entered_by_their_door", "tasks/backdoor.py", "from calverify.graphs._walk import walk"),
    ("rooms_are_entered_by_their_door", "tasks/backdoor.py", "from calverify.graphs import _walk"),
    ("rooms_are_entered_by_their_door", "tasks/backdoor.py", "import calverify.graphs._walk"),
    ("rooms_are_entered_by_their_door", "scoring/__init__.py", "from ..tasks.backdoor import solve"),
    ("kernel_imports_the_standard_library_only", "graphs/_read.py", "def f():\n    import networkx as nx"),
    ("kernel_imports_the_standard_library_only", "effects.py", "from numpy.linalg import solve"),
    ("kernel_leaves_the_world_alone", "pools/_read.py", "from pathlib import Path"),
    ("kernel_leaves_the_world_alone", "pools/_read.py", "import os.path"),
    ("kernel_leaves_the_world_alone", "logic.py", "import random"),
    ("kernel_leaves_the_world_alone", "logic.py", "if TYPE_CHECKING:\n    import time"),
    ("kernel_leaves_the_world_alone", "logic.py", "if TYPE_CHECKING:\n    pass\nelse:\n    import random"),
    ("recheck_stands_alone", "recheck/graphs.py", "from calverify.errors import CalverifyError"),
    ("recheck_stands_alone", "recheck/graphs.py", "def f():\n    from ..graphs import separated"),
    ("recheck_stands_alone", "recheck/graphs.py", "from calverify.recheck.records import need"),
    ("recheck_stands_alone", "recheck/graphs.py", "import networkx"),
    ("recheck_stands_alone", "recheck/graphs.py", "x = 1\n" * 400),
    ("functions_are_short", "logic.py", LONG),
    ("functions_are_short", "logic.py", "class A:\n    async " + LONG.replace("\n", "\n    ")),
    ("signatures_are_narrow", "logic.py", "def f(a, b, c, /, d, e, *, g, h): ..."),
    ("signatures_are_narrow", "logic.py", "def f(self, a, b, c, d, e, *f, **g): ..."),
    ("modules_are_short", "logic.py", "x = 1\n" * 401),
    ("modules_say_what_they_are", "logic.py", "# not a docstring\nx = 1"),
    ("modules_have_a_subject", "graphs/_utils.py", ""),
    ("modules_have_a_subject", "core/__init__.py", ""),
    ("broad_excepts_are_listed", "logic.py", "try: ...\nexcept: ..."),
    ("broad_excepts_are_listed", "logic.py", "try: ...\nexcept Exception as e: ..."),
    ("broad_excepts_are_listed", "cli/__init__.py", "try: ...\nexcept (ValueError, builtins.BaseException): ..."),
    ("broad_excepts_are_listed", "cli/__init__.py", "with contextlib.suppress(Exception): ..."),
    ("no_text_becomes_code", "cli/__init__.py", "eval('1')"),
    ("no_text_becomes_code", "cli/__init__.py", "run = exec"),
    ("no_text_becomes_code", "cli/__init__.py", "compile('1', '', 'eval')"),
    ("no_text_becomes_code", "cli/__init__.py", "def f():\n    from pickle import loads"),
    ("no_text_becomes_code", "cli/__init__.py", "import signal"),
    ("defaults_are_immutable", "logic.py", "def f(a=[]): ..."),
    ("defaults_are_immutable", "logic.py", "def f(*, a=set()): ..."),
    ("defaults_are_immutable", "logic.py", "f = lambda a={}: a"),
    ("patterns_are_named_at_the_top", "logic.py", "import re\ndef f(t): return re.sub('a', 'b', t)"),
    ("patterns_are_named_at_the_top", "logic.py", "import re\ndef f(t): return re.compile('a')"),
    ("patterns_are_named_at_the_top", "logic.py", "import re\nBOTH = (re.compile('a'), re.compile('b'))"),
    ("patterns_are_named_at_the_top", "logic.py", "import re\nclass A:\n    a = re.compile('a')"),
    ("patterns_are_named_at_the_top", "logic.py", "from re import compile"),
    ("patterns_are_named_at_the_top", "logic.py", "import re as regex"),
]

KEPT = [
    ("imports_point_down", "tasks/backdoor.py", "from calverify.graphs import Graph\nfrom ._shelf import task"),
    ("imports_point_down", "cli/__init__.py", "from calverify import __version__, keys"),
    ("imports_point_down", "__init__.py", "from .scoring import verify\nfrom calverify.pools import Pool"),
    ("keys_stay_behind_the_firewall", "benchmarks/clear.py", "from calverify.keys import Key"),
    ("rooms_are_entered_by_their_door", "graphs/__init__.py", "from calverify.graphs._walk import walk"),
    ("rooms_are_entered_by_their_door", "cli/__init__.py", "from calverify import __version__"),
    ("kernel_imports_the_standard_library_only", "logic.py", "from __future__ import annotations\nimport math"),
    ("kernel_imports_the_standard_library_only", "sampling/openai.py", "import httpx2"),
    ("kernel_leaves_the_world_alone", "logic.py", "if typing.TYPE_CHECKING:\n    from random import Random"),
    ("kernel_leaves_the_world_alone", "sampling/openai.py", "import time"),
    ("recheck_stands_alone", "recheck/graphs.py", "import json\nfrom .records import need\nfrom . import sets"),
    ("recheck_stands_alone", "graphs/_walk.py", "from calverify.errors import CalverifyError"),
    ("functions_are_short", "logic.py", LONG.removesuffix("    x = 1\n")),
    ("signatures_are_narrow", "logic.py", "def f(self, a, b, c, d, e, g): ..."),
    ("broad_excepts_are_listed", "serving/app.py", "try: ...\nexcept Exception: ..."),
    ("broad_excepts_are_listed", "logic.py", "try: ...\nexcept (KeyError, ValueError): ..."),
    ("no_text_becomes_code", "training/grpo.py", "model.eval()\nre.compile('a')"),
    ("defaults_are_immutable", "logic.py", "def f(a=(), *, b=frozenset()): ..."),
    ("patterns_are_named_at_the_top", "logic.py", "import re\nA: re.Pattern[str] = re.compile('a', re.ASCII)"),
]

BACKTRACKING = [r"a*", r"(a?)b", r"x(?:[ab]+?)", r"(?>a+)", r"(?=a{2,3})", r"a|b*", r"(?:ab|a){9}", r"(a)(?(1)b*|c)"]
STRAIGHT = [r"a*+b++c?+", r"(?:ab|cd)e", r"\d{4}", r"(?>ab|a)", r"(?:ab|a)*+", r"[a-z]{0,9}+", r"(?:[ab]c){2}"]


@pytest.mark.parametrize(("name", "path", "text"), BROKEN)
def test_breach_is_caught(name, path, text):
    assert list(RULES[name](Module(path, text)))


@pytest.mark.parametrize(("name", "path", "text"), KEPT)
def test_kept_rule_is_quiet(name, path, text):
    assert not list(RULES[name](Module(path, text)))


def test_every_rule_has_a_breach_that_it_catches():
    assert {name for name, _, _ in BROKEN} == set(RULES)


@pytest.mark.parametrize("pattern", BACKTRACKING)
def test_backtracking_is_caught(pattern):
    assert backtracks(re.compile(pattern))


@pytest.mark.parametrize("pattern", STRAIGHT)
def test_straight_pattern_is_accepted(pattern):
    assert not backtracks(re.compile(pattern))
