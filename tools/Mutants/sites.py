"""Where a room's sources can be changed, and how: read off the compiler's own syntax tree."""

import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Node = dict[str, Any]

#: What stands for an operator. Those of numbers only where the result is a number of a kind below.
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&+": "&-", "&-": "&+", "&*": "&+", "<<": ">>", ">>": "<<",
    "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&", "^": "|",
}
ASSIGNMENTS = {
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&+=": "&-=", "&-=": "&+=", "<<=": ">>=", ">>=": "<<=", "|=": "&=",
    "&=": "|=", "^=": "|=",
}
#: Numbers by their mangled names, and the C type whose function picks between two of them.
NUMBERS = {
    "$sSiD": ("Int", "long"), "$sSuD": ("UInt", "unsigned long"), "$sSdD": ("Double", "double"),
    "$ss4Int8VD": ("Int8", "int8_t"), "$ss5Int16VD": ("Int16", "int16_t"), "$ss5Int32VD": ("Int32", "int32_t"),
    "$ss5Int64VD": ("Int64", "int64_t"), "$ss5UInt8VD": ("UInt8", "uint8_t"), "$ss6UInt16VD": ("UInt16", "uint16_t"),
    "$ss6UInt32VD": ("UInt32", "uint32_t"), "$ss6UInt64VD": ("UInt64", "uint64_t"), "$ss7UInt128VD": ("UInt128", None),
}
#: Calls that only make a program faster, ends of the process where a caller is wrong, and hashes, which needn't tell values apart.
WITHOUT_EFFECT = re.compile(r"[\w.\[\]]*\breserveCapacity\(|[\w.]*[pP]refetch\w*\(|precondition\(|hasher\.combine\(")
TOKEN = re.compile(rb'0[xbo][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?|[A-Za-z_$`][\w`]*|"(?:[^"\\\n]|\\[^(\n])*"|[\])}>!?]')


@dataclass
class Mutant:
    """One change of one place."""

    file: str
    line: int
    text: str
    change: str
    number: int = 0
    #: Which of the same changes of the same line of text it is, from 1 up.
    ordinal: int = 1

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it for as long as its line stays as it is."""
        return self.file, self.text, self.change + (f" #{self.ordinal}" if self.ordinal > 1 else "")


@dataclass
class Site:
    """A stretch of source that is written anew, so that the mutants at it can be switched on."""

    start: int
    end: int
    #: Of sites with the same bounds, the lower one is the outer one.
    rank: int
    mutants: list[Mutant]
    #: From what stands there, with all inner sites written, to what shall stand there.
    write: Callable[[str], str] = field(repr=False)


class Source:
    """A file, and the sites in it."""

    def __init__(self, root: Path, file: str, tree: Node) -> None:
        self.file = file
        self.bytes = (root / file).read_bytes()
        self.digest = hashlib.sha256(self.bytes).hexdigest()[:16]
        self.sites: dict[tuple[int, int, int], Site] = {}
        #: Sites that the compiler refused.
        self.dropped: set[tuple[int, int, int]] = set()
        #: Functions and the like: their bounds.
        self.bodies: list[tuple[int, int]] = []
        self._visit(tree, [])

    # Text

    def text(self, start: int, end: int) -> str:
        return self.bytes[start:end].decode()

    def line(self, offset: int) -> int:
        return self.bytes.count(b"\n", 0, offset) + 1

    def bounds(self, node: Node) -> tuple[int, int] | None:
        """From the first byte of `node` to the one after its last; the compiler says where its last token starts."""
        span = node.get("range")
        token = span and TOKEN.match(self.bytes, span["end"])
        return (span["start"], token.end()) if token else None

    def plain(self, start: int, end: int) -> str | None:
        """The text on one line; None where that isn't the same text."""
        text = self.text(start, end)
        if "\n" in text and ("{" in text or "//" in text or '"""' in text):
            return None
        return re.sub(r"\s*\n\s*", " ", text)

    # Sites

    def _add(self, bounds: tuple[int, int], rank: int, changes: list[str], write: Callable[[Site, str], str]) -> None:
        key = (*bounds, rank)
        if key in self.sites:
            return
        line = self.line(bounds[0])
        text = self.bytes.split(b"\n")[line - 1].decode().strip()
        site = Site(*bounds, rank, [Mutant(self.file, line, text, change) for change in changes], str)
        site.write = lambda inner: write(site, inner)
        self.sites[key] = site

    def _short(self, start: int, end: int) -> str:
        text = re.sub(r"\s+", " ", self.text(start, end))
        return text if len(text) <= 60 else text[:57] + "..."

    def _force(self, node: Node, to: list[bool]) -> None:
        bounds = self.bounds(node)
        if node.get("_kind") == "boolean_literal_expr" or not bounds:
            return
        short = self._short(*bounds)

        def write(site: Site, inner: str) -> str:
            for mutant in site.mutants:
                inner = f"mutant_{mutant.change.rsplit(' ', 1)[1]}({mutant.number}, {inner})"
            return inner

        self._add(bounds, 1, [f"{short} -> {str(value).lower()}" for value in to], write)

    def _replace(self, bounds: tuple[int, int], changed: str, change: str) -> None:
        self._add(bounds, 3, [change], lambda site, inner: f"(mutant_on({site.mutants[0].number}) ? ({changed}) : ({inner}))")

    def _literal(self, node: Node) -> None:
        bounds = self.bounds(node)
        text = bounds and self.text(*bounds)
        if not text or not re.fullmatch(r"0[xbo][0-9A-Fa-f_]+|\d[\d_]*", text):
            return
        value = int(text.replace("_", ""), 0)
        name, c_type = NUMBERS.get(node.get("type", ""), (None, None))
        if name == "Double":
            return
        others = [value - 1 if name == "UInt8" and value == 255 else value + 1]

        def write(site: Site, inner: str) -> str:
            for mutant in site.mutants:
                other = mutant.change.rsplit(" ", 1)[1]
                inner = (
                    f"mutant_{name}({mutant.number}, {other}, {inner})" if c_type else f"(mutant_on({mutant.number}) ? {other} : {inner})")
            return inner

        self._add(bounds, 4, [f"{text} -> {other}" for other in others], write)

    def _operation(self, node: Node, is_condition: bool) -> None:
        bounds, sign = self.bounds(node), node["fn"].get("range")
        if not bounds or not sign:
            for inner in _nodes(node["fn"]):
                sign = sign or (inner.get("range") if inner.get("_kind") == "declref_expr" else None)
        match = sign and re.compile(rb"[-+*/%&|^<>=!.?]+").match(self.bytes, sign["start"])
        if not bounds or not match or not bounds[0] < match.start() < bounds[1]:
            return
        name = match.group().decode()
        if name in ("&&", "||"):
            for operand in _operands(node):
                self._force(operand, [name == "&&"])
            return
        left, right = self.plain(bounds[0], match.start()), self.plain(match.end(), bounds[1])
        if left is None or right is None:
            return
        if name == "??":
            self._replace(bounds, right.strip(), f"{self._short(*bounds)} -> {right.strip()}")
            return
        other = COMPARISONS.get(name)
        if other and is_condition and name in ("==", "!="):
            return
        if not other and node.get("type") in NUMBERS:
            other = ARITHMETIC.get(name)
        if other:
            self._replace(bounds, f"{left}{other}{right}", f"{name} -> {other}")
        elif name in ASSIGNMENTS:
            other = ASSIGNMENTS[name]
            self._add(
                bounds, 2, [f"{name} -> {other}"],
                lambda site, inner: f"if mutant_on({site.mutants[0].number}) {{ {left}{other}{right} }} else {{ {inner} }}")

    def _prefix(self, node: Node, is_condition: bool) -> None:
        bounds = self.bounds(node)
        if not bounds or self.text(bounds[0], bounds[0] + 1) not in "!-~":
            return
        rest = self.plain(bounds[0] + 1, bounds[1])
        if rest and not (is_condition and self.text(*bounds).startswith("!")):
            self._replace(bounds, rest, f"{self._short(*bounds)} -> {rest}")

    def _call(self, node: Node) -> None:
        bounds = self.bounds(node)
        plain = bounds and self.plain(*bounds)
        for name, other in (("min", "max"), ("max", "min")):
            if plain and plain.startswith(f"{name}("):
                self._replace(bounds, other + plain[3:], f"{name} -> {other}")

    def _statement(self, node: Node, is_alone: bool) -> None:
        inner = node.get("sub_expr", {}) if node["_kind"] == "try_expr" else node
        kind, bounds = inner.get("_kind"), self.bounds(node)
        if not bounds or kind not in ("assign_expr", "call_expr", "binary_expr"):
            return
        if is_alone and inner.get("type") != "$sytD" or WITHOUT_EFFECT.match(self.text(*bounds)):
            return
        self._add(
            bounds, 0, [f"{self._short(*bounds)} -> nothing"],
            lambda site, inner: f"if !mutant_on({site.mutants[0].number}) {{ {inner} }}")

    def _visit(self, node: Any, conditions: list[Node]) -> None:
        if isinstance(node, list):
            for part in node:
                self._visit(part, conditions)
            return
        if not isinstance(node, dict):
            return
        kind = node.get("_kind", "")
        if kind.endswith("_decl") and "body" in node and node.get("range"):
            self.bodies.append((node["range"]["start"], node["range"]["end"]))
        is_condition = any(node is condition for condition in conditions)
        if node.get("implicit") is not True:
            if kind in ("if_stmt", "guard_stmt", "while_stmt"):
                conditions = [part for part in node.get("conditions", []) if part.get("_kind", "").endswith("_expr")]
                for clause in conditions:
                    self._force(clause, [False] if kind == "while_stmt" else [True, False])
            elif kind == "for_each_stmt" and isinstance(node.get("where"), dict):
                conditions = [node["where"]]
                self._force(node["where"], [True, False])
            elif kind == "ternary_expr":
                conditions = [node["cond_expr"]]
                self._force(node["cond_expr"], [True, False])
            elif kind == "case_label_item" and isinstance(node.get("guard_expr", node.get("where")), dict):
                self._force(node.get("guard_expr", node.get("where")), [True, False])
            elif kind == "brace_stmt":
                elements = node.get("elements", [])
                for element in elements:
                    if element.get("_kind", "").endswith("_expr"):
                        self._statement(element, len(elements) == 1)
                    elif element.get("_kind") == "return_stmt" and element.get("implicit"):
                        self._statement(element.get("result") or {"_kind": ""}, True)
            elif kind == "binary_expr":
                self._operation(node, is_condition)
                conditions = _operands(node)
            elif kind == "prefix_unary_expr":
                self._prefix(node, is_condition)
            elif kind == "call_expr":
                bounds = self.bounds(node)
                if bounds and WITHOUT_EFFECT.match(self.text(*bounds)):
                    return
                self._call(node)
            elif kind == "integer_literal_expr":
                self._literal(node)
            elif kind == "boolean_literal_expr" and (bounds := self.bounds(node)):
                text = self.text(*bounds)
                if text in ("true", "false") and not self.bytes[:bounds[0]].endswith(b"while "):
                    self._add(
                        bounds, 4, [f"{text} -> {'false' if text == 'true' else 'true'}"],
                        lambda site, inner: f"mutant_not({site.mutants[0].number}, {inner})")
        for name, part in node.items():
            if name not in ("original_init", "range"):
                self._visit(part, conditions)

    # Writing

    def written(self) -> str:
        """The whole file with every mutant in it, line by line where it was."""
        order = sorted(self.sites.values(), key=lambda site: (site.start, -site.end, site.rank))
        position = 0

        def span(start: int, end: int) -> str:
            nonlocal position
            pieces = []
            while position < len(order) and order[position].start < end:
                site = order[position]
                position += 1
                if site.start < start or site.end > end:
                    continue
                pieces.append(self.text(start, site.start))
                pieces.append(site.write(span(site.start, site.end)))
                start = site.end
            return "".join(pieces) + self.text(start, end)

        return span(0, len(self.bytes)) + ("\npublic import CMutants\n" if order else "")

    def drop(self, line: int, numbers: set[int]) -> int:
        """Leaves out the mutants that stand on a line that the compiler refuses: those named, else all of the function around."""
        doomed = {key for key, site in self.sites.items() if any(mutant.number in numbers for mutant in site.mutants)}
        if not doomed:
            around = [(end - start, start, end) for start, end in self.bodies if self.line(start) <= line <= self.line(end)]
            if not around:
                return 0
            _, start, end = min(around)
            inside = {key for key in self.sites if start <= key[0] <= end}
            doomed = {key for key in inside if key[2] == 0} or inside
        for key in doomed:
            del self.sites[key]
        self.dropped |= doomed
        return len(doomed)


def _nodes(node: Any) -> Iterator[Node]:
    if isinstance(node, dict):
        yield node
        for part in node.values():
            yield from _nodes(part)
    elif isinstance(node, list):
        for part in node:
            yield from _nodes(part)


def _operands(node: Node) -> list[Node]:
    """What stands left and right of a binary operator of truth values, without what the compiler wraps around it."""
    if not isinstance(node.get("args"), dict):
        return []
    found = []
    for argument in node["args"].get("args", []):
        part = argument.get("expr", {})
        while part.get("_kind") in ("autoclosure_expr", "paren_expr"):
            part = part.get("single_expr_body") or part.get("sub_expr") or {}
        found.append(part)
    return found


def trees(root: Path, room: str, files: list[str], arguments: list[str]) -> Iterator[tuple[str, Node]]:
    """The syntax tree of each of `files` of a room, which is built already."""
    everything = sorted(str(path.relative_to(root)) for path in (root / "Sources" / room).rglob("*.swift"))
    for file in files:
        rest = [other for other in everything if other != file]
        run = subprocess.run(
            ["swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", "-module-name", room, *arguments, "-primary-file", file, *rest],
            cwd=root, capture_output=True, check=False)
        if run.returncode:
            raise SystemExit(run.stderr.decode())
        yield file, json.loads(run.stdout)
