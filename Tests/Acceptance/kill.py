#!/usr/bin/env python3
"""Kills engram while it works, alone and beside others, and looks whether anything that it had acknowledged is lost.

    kill.py ENGRAM PROBE [--rounds N] [--seed S]

Each round lets one, two or four processes work on one store at once: answering cards, importing, merging, taking checkpoints,
verifying, reading. Most are killed with SIGKILL at a random moment; the others must succeed, beside the dead as well. What
a process printed is acknowledged: it must be in the log ever after, the store must verify, and what is stored must be what
the log says. What a killed process was making beside the store can be made again.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from harness import NOW, Broken, Probe, folder, run, sample
from operations import Scene, operations

#: Commands that only read, and how often each row is drawn.
READING = [("due",), ("stats",), ("verify",), ("verify", "--level", "pages"), ("replay",), ("log", "export")]
#: Those that want the store for themselves are refused in a crowd.
WEIGHTS = {"review": 10, "import": 3, "log import": 1, "merge": 1, "rebuild": 2, "init": 2}
CHECK_EVERY = 25


class Work:
    """A process that works on the store until it ends or is killed."""

    def __init__(self, name, line, typical, dice, output):
        self.name = name
        self.line = line
        self.output = open(output, "w+")
        self.errors = open(output + ".errors", "w+")
        self.start = time.monotonic()
        self.end = self.start + dice.uniform(0, 1.3 * typical) if dice.random() < 0.85 else None
        self.process = subprocess.Popen(line, stdout=self.output, stderr=self.errors)
        self.was_killed = False

    def is_over(self, now):
        if self.process.poll() is not None:
            return True
        if self.end is not None and now >= self.end:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.was_killed = True
            return True
        if now > self.start + 60:
            self.process.kill()
            raise Broken(f"{self.name}: it hung")
        return False

    def result(self, refusals=()):
        """What it printed, if that was whole; Broken where it failed by itself."""
        self.output.seek(0)
        self.errors.seek(0)
        out, errors = self.output.read(), self.errors.read()
        self.output.close()
        self.errors.close()
        code = self.process.returncode
        if code in refusals:
            return None
        if code != 0 and not (self.was_killed and code == -signal.SIGKILL):
            raise Broken(f"{self.name}: exit {code}: {errors}{out[:300]}")
        try:
            return json.loads(out)
        except ValueError:
            if code == 0 and "export" not in self.line:
                raise Broken(f"{self.name}: exit 0, and printed {out[:300]!r}")
            return None


class Rounds:
    def __init__(self, options, place, dice):
        self.program = options.engram
        self.dice = dice
        self.place = place
        self.scene = Scene(self.program, place)
        self.probe = Probe(options.probe)
        self.rows = operations(self.program)
        self.typical = {}
        self.figures = collections.Counter()
        self.events = set()
        self.slices = []
        self.next_row = 2000
        # Slower where others work beside it, so each is timed once alone and that is taken twice.
        for row in self.rows:
            self.typical[row.name] = self.timed(self.line(row)[0])
            self.clear(row)
        self.typical["reading"] = self.timed(self.read_line(("stats",)))

    def timed(self, line):
        started = time.monotonic()
        subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.monotonic() - started

    def read_line(self, words):
        return [self.program, *words, "--store", self.scene.store, "--now", NOW, "--json"]

    def line(self, row):
        """The command line of a row, and the part of the bundled history that it imports."""
        if row.name != "import":
            return self.scene.command_line(row), None
        part = sample(os.path.join(self.place, f"part-{self.next_row}.csv"), 30, skip=self.next_row % 12000)
        self.next_row += 30
        return [self.program, "import", part, "--zone", "UTC", "--store", self.scene.store, "--now", NOW, "--json"], part

    def clear(self, row):
        if row.makes:
            shutil.rmtree(self.scene.subject(row), ignore_errors=True)
        if row.name == "migrate":
            self.scene.make_old()
        if row.writes and os.path.exists(row.writes(self.scene)):
            os.unlink(row.writes(self.scene))

    def round(self, number):
        crowd = self.dice.choice([1, 1, 2, 2, 4])
        works, making = [], None
        for index in range(crowd):
            output = os.path.join(self.place, f"output-{index}")
            if self.dice.random() < 0.25:
                works.append((None, None, Work("reading", self.read_line(self.dice.choice(READING)), self.typical["reading"], self.dice, output)))
                continue
            row = self.dice.choices(self.rows, [WEIGHTS.get(row.name, 1) for row in self.rows])[0]
            if row.makes or row.writes or row.name == "migrate":
                if making:
                    continue
                making = row
            line, part = self.line(row)
            works.append((row, part, Work(row.name, line, self.typical[row.name] * (1 + crowd) / 2, self.dice, output)))
        waiting = [work for _, _, work in works]
        while waiting:
            now = time.monotonic()
            waiting = [work for work in waiting if not work.is_over(now)]
            time.sleep(0.0005)
        for row, part, work in works:
            self.take(row, part, work)
        if making:
            self.make_again(making)

    def take(self, row, part, work):
        refusals = (row.done_codes + ((3,) if row.alone else ())) if row and row.alone else ()
        answer = work.result(tuple(code for code in refusals if code != 0))
        self.figures["processes"] += 1
        self.figures["killed"] += work.was_killed
        if answer is None or row is None:
            return
        self.figures["acknowledged"] += 1
        if row.name == "review":
            self.events.add(answer["event"])
        elif row.name == "import":
            self.slices.append(part)

    def make_again(self, row):
        """What a killed process was making is whole, or can be made again."""
        if row.writes:
            self.clear(row)
        code, out, errors = run(*self.scene.command_line(row))
        if code not in ((0, 3) if row.makes else (0,)):
            raise Broken(f"{row.name} again: exit {code}: {errors}")
        self.probe.sound(self.scene.subject(row))
        self.clear(row)

    def check(self):
        self.probe.sound(self.scene.store)
        code, out, errors = run(self.program, "log", "--type", "card_reviewed", "--store", self.scene.store, "--json")
        there = {json.loads(line)["event"] for line in out.splitlines()}
        if code != 0 or not self.events <= there:
            raise Broken(f"lost {sorted(self.events - there)[:5]} {errors}")
        for part in self.slices:
            code, out, errors = run(
                self.program, "import", part, "--zone", "UTC", "--dry-run", "--store", self.scene.store, "--now", NOW, "--json")
            if code != 0 or json.loads(out)["reviews"]["new"] != 0:
                raise Broken(f"an import that was acknowledged isn't there: {out}{errors}")
        self.slices = []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("probe", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    with folder() as place:
        rounds = Rounds(options, place, random.Random(options.seed))
        for number in range(1, options.rounds + 1):
            try:
                rounds.round(number)
                if number % CHECK_EVERY == 0 or number == options.rounds:
                    rounds.check()
            except Broken as broken:
                print(f"round {number}: {broken}")
                sys.exit(1)
        rounds.probe.end()
    figures = rounds.figures
    print(f"{options.rounds} rounds in {time.monotonic() - started:.0f} s: {figures['processes']} processes, {figures['killed']} killed, "
          f"{figures['acknowledged']} actions acknowledged: none is lost, every check is sound")


main()
