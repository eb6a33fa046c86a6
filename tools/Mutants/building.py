"""A copy of the package with all mutants in it, built once."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

from sites import NUMBERS, Mutant, Source, trees

#: As in Package.swift; without what makes a warning an error.
SETTINGS = [
    "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
    "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-experimental-feature", "Lifetimes",
]
HEADER = """\
#pragma once
#include <stdbool.h>
#include <stdint.h>
extern uint8_t *mutants_reached;
extern long mutants_active;
static inline bool mutant_on(long number) { mutants_reached[number] = 1; return mutants_active == number; }
// A place counts as reached where the mutant has another value than the original.
static inline bool mutant_true(long number, bool value) { return value || mutant_on(number); }
static inline bool mutant_false(long number, bool value) { return value && !mutant_on(number); }
static inline bool mutant_not(long number, bool value) { return value != mutant_on(number); }
"""
# Files, for a test gives an environment of its own to the programs that it starts.
CODE = """\
#include "CMutants.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
static uint8_t nowhere[%(count)d];
uint8_t *mutants_reached = nowhere;
long mutants_active = -1;
__attribute__((constructor)) static void mutants_start(void) {
    FILE *active = fopen("%(folder)s/active", "r");
    if (active) { if (fscanf(active, "%%ld", &mutants_active) != 1) mutants_active = -1; fclose(active); }
    int reached = open("%(folder)s/reached", O_RDWR | O_CLOEXEC);
    if (reached < 0) return;
    void *map = mmap(0, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, reached, 0);
    if (map != MAP_FAILED) mutants_reached = map;
}
"""


def run(command: list[str], root: Path, what: str) -> str:
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{what} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


class Build:
    """The copy, in a folder that may be thrown away."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder, self.tree = root, folder, folder / "tree"
        self.sources: list[Source] = []
        self.made = 0

    @property
    def mutants(self) -> list[Mutant]:
        return [mutant for source in self.sources for site in source.sites.values() for mutant in site.mutants]

    def make(self, rooms: dict[str, list[str]]) -> None:
        """Finds the mutants of the files of each room, and leaves out those that don't compile."""
        modules = run(["swift", "build", "--show-bin-path"], self.root, "swift build").strip() + "/Modules"
        named = re.search(r'"-package-name","([^"]*)"', (self.root / ".build/debug.yaml").read_text())
        arguments = [*SETTINGS, "-package-name", named[1] if named else "engram", "-I", modules]
        for library in sorted((self.root / "Sources").glob("C*/module.modulemap")):
            arguments += ["-I", str(library.parent)]
        for room, files in rooms.items():
            self.sources += [Source(self.root, file, tree) for file, tree in trees(self.root, room, files, arguments)]
        seen: Counter[tuple[str, str, str]] = Counter()
        mutants = sorted(self.mutants, key=lambda mutant: (mutant.file, mutant.line))
        for number, mutant in enumerate(mutants):
            mutant.number = number
            seen[mutant.file, mutant.text, mutant.change] += 1
            mutant.ordinal = seen[mutant.file, mutant.text, mutant.change]
        self.made = len(mutants)
        self._copy()
        for room in rooms:
            self._compile(room, [*arguments, "-I", str(self.tree / "Sources/CMutants/include")])

    def _copy(self) -> None:
        """Brings the copy up to date, and touches nothing that is as it was."""
        listed = run(["git", "ls-files", "-co", "--exclude-standard"], self.root, "git").splitlines()
        mutated = {source.file for source in self.sources}
        for name in listed:
            if name not in mutated and name != "Package.swift" and (self.root / name).is_file():
                self._write(name, (self.root / name).read_bytes())
                shutil.copymode(self.root / name, self.tree / name)
        package = (self.root / "Package.swift").read_text()
        package = package.replace(".strictMemorySafety(),", "").replace(".treatAllWarnings(as: .error),", "")
        package = package.replace("dependencies: dependencies, swiftSettings", 'dependencies: dependencies + ["CMutants"], swiftSettings', 1)
        package = package.replace("    targets: [\n", '    targets: [\n        .target(name: "CMutants"),\n', 1)
        self._write("Package.swift", package.encode())
        picks = [
            f"static inline {c_type} mutant_{name}(long number, {c_type} other, {c_type} value)"
            " { return mutant_on(number) ? other : value; }\n" for name, c_type in NUMBERS.values() if c_type
        ]
        self._write("Sources/CMutants/include/CMutants.h", (HEADER + "".join(picks)).encode())
        self._write("Sources/CMutants/include/module.modulemap", b'module CMutants { header "CMutants.h" export * }\n')
        code = CODE % {"count": max(self.made, 1), "folder": self.folder}
        self._write("Sources/CMutants/mutants.c", code.encode())

    def _write(self, name: str, content: bytes) -> None:
        path = self.tree / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def _compile(self, room: str, arguments: list[str]) -> None:
        """Leaves out places of a room until the compiler takes it, and notes them for the next time."""
        notes = self.folder / "refused.json"
        known: dict[str, list[list[int]]] = json.loads(notes.read_text()) if notes.is_file() else {}
        for source in self.sources:
            source.dropped |= {(start, end, rank) for start, end, rank in known.get(source.digest, [])} & source.sites.keys()
            for key in source.dropped:
                source.sites.pop(key, None)
        sources = {source.file: source for source in self.sources}
        files = sorted(str(path.relative_to(self.root)) for path in (self.root / "Sources" / room).rglob("*.swift"))
        while True:
            for file in files:
                if file in sources:
                    self._write(file, sources[file].written().encode())
            checked = subprocess.run(
                ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-module-name", room, "-parse-as-library", *arguments,
                 "-solver-expression-time-threshold=4", *files],
                cwd=self.tree, capture_output=True, text=True, check=False)
            if not checked.returncode:
                known |= {source.digest: [list(key) for key in source.dropped] for source in self.sources if source.dropped}
                notes.write_text(json.dumps(known))
                return
            refused = set(re.findall(r"^(?:.*/)?(Sources/\S+\.swift):(\d+):\d+: error:", checked.stderr, re.MULTILINE))
            dropped = 0
            for file, line in refused:
                if file in sources:
                    text = (self.tree / file).read_text().splitlines()[int(line) - 1]
                    numbers = {int(number) for number in re.findall(r"mutant_\w+\((\d+)", text)}
                    dropped += sources[file].drop(int(line), numbers)
            if not dropped:
                raise SystemExit(f"{room} with mutants doesn't compile:\n{checked.stderr[-4000:]}")

    def build(self) -> Path:
        """Builds the copy; the program that runs its tests."""
        run(["nice", "-n", "10", "swift", "build", "--build-tests", "-j", "1"], self.tree, "The build with mutants")
        return Path(run(["swift", "build", "--show-bin-path"], self.tree, "swift build").strip()) / "EngramPackageTests.xctest"
