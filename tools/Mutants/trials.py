"""Runs tests against mutants, one after the other."""

import json
import os
import re
import resource
import select
import signal
import subprocess
import time
from pathlib import Path

FAILED = re.compile(r"^\S+ (?:Test|Suite) .*(?:recorded an issue|failed after)|^error:|Fatal error|CRASH", re.MULTILINE)
#: A mutant is tried with the quickest tests that reach it, a third of a second's worth, then with the next ones, until it is killed.
FIRST_STEP = 0.35


class Trials:
    """The tests of the copy, and which mutants each one reaches."""

    def __init__(self, program: Path, tree: Path, folder: Path, cases: int, budget: float, count: int) -> None:
        self.program, self.tree, self.folder, self.budget, self.count = program, tree, folder, budget, count
        self.environment = os.environ | {"ENGRAM_CASES": str(cases), "SWIFT_BACKTRACE": "enable=no"}
        self.seconds: dict[str, float] = {}
        self.reaching: dict[int, list[str]] = {}
        self.kills: dict[str, int] = {}

    def named(self, suites: str) -> list[str]:
        done = subprocess.run(
            ["swift", "test", "list", "--skip-build", "--disable-xctest"], cwd=self.tree, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if re.match(suites, line)]

    def _run(self, tests: list[str], mutant: int, limit: float) -> str:
        """Ends with the first failure: "passed", "failed", "died" or "hung"."""
        (self.folder / "active").write_text(str(mutant))
        filters = [part for test in tests for part in ("--filter", "^" + re.escape(test).replace("/", r"\/") + "(/|$)")]

        def bounds() -> None:
            os.setsid()
            os.nice(10)
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(
            [str(self.program), "--testing-library", "swift-testing", "--no-parallel", *filters], cwd=self.tree, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=bounds)
        assert process.stdout
        output, end = "", time.monotonic() + 4 * limit + 10
        try:
            while True:
                ready, _, _ = select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))
                if not ready:
                    return "hung"
                piece = os.read(process.stdout.fileno(), 1 << 16)
                output = output[-4096:] + piece.decode(errors="replace")
                if FAILED.search(output):
                    return "failed"
                if not piece:
                    break
            code = process.wait()
            if code in (-signal.SIGXCPU, -signal.SIGKILL):
                return "hung"
            return "passed" if code == 0 and "passed after" in output else "died"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            process.stdout.close()

    def reach(self, tests: dict[str, str], known: Path) -> None:
        """Runs every test alone, without a mutant: how long it takes, and which mutants it reaches.

        What was found is kept in `known` under the name that `tests` gives each test, and isn't looked for again.
        """
        notes: dict[str, tuple[float, list[int]]] = json.loads(known.read_text()) if known.is_file() else {}
        for place, (test, name) in enumerate(tests.items()):
            if name not in notes:
                (self.folder / "reached").write_bytes(bytes(self.count))
                start = time.monotonic()
                outcome = self._run([test], -1, 10)
                marks = (self.folder / "reached").read_bytes()
                if outcome != "passed":
                    print(f"  {test} isn't used, for without a mutant it {outcome}", flush=True)
                reached = [number for number, mark in enumerate(marks) if mark] if outcome == "passed" else []
                notes[name] = (time.monotonic() - start, reached)
                if place % 10 == 0:
                    known.write_text(json.dumps(notes))
        known.write_text(json.dumps(notes))
        start_up = min(notes[name][0] for name in tests.values())
        for test, name in tests.items():
            seconds, reached = notes[name]
            self.seconds[test] = seconds - start_up + 0.01
            for number in reached:
                self.reaching.setdefault(number, []).append(test)

    def verdict(self, mutant: int, room: str) -> str:
        """What became of a mutant of `room`: "unreached", "survived", or how it was killed. The room's own tests come first."""
        reaching = sorted(self.reaching.get(mutant, []), key=lambda test: self.seconds[test] / (1 + self.kills.get(test, 0)))
        own = [test for test in reaching if test.startswith(f"{room}Tests.")]
        others = [test for test in reaching if test not in own]
        if not reaching:
            return "unreached"
        for batch in self._batches(own, FIRST_STEP, 1e9) + self._batches(others, FIRST_STEP, self.budget):
            outcome = self._run(batch, mutant, 3 + 4 * sum(self.seconds[test] for test in batch))
            if outcome != "passed":
                for test in batch[:3]:
                    self.kills[test] = self.kills.get(test, 0) + 1
                return outcome
        return "survived"

    def _batches(self, tests: list[str], step: float, budget: float) -> list[list[str]]:
        """Tests in groups, each four times as long as the one before, within `budget` seconds."""
        batches: list[list[str]] = []
        room = 0.0
        for test in tests:
            budget -= self.seconds[test]
            if budget < 0:
                break
            if not batches or self.seconds[test] > room:
                batches.append([])
                room, step = max(step, self.seconds[test]), step * 4
            batches[-1].append(test)
            room -= self.seconds[test]
        return batches
