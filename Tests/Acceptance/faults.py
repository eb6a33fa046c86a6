#!/usr/bin/env python3
"""Lets every storage call of every operation fail, one run a call, and looks whether the store keeps its promises.

    faults.py ENGRAM PROBE [--every N] [--seed S] [--only NAME ...]

First a run of each operation counts the calls that touch its folder. Then for each of them, and each way in which it can go
wrong (an error, a full disk, an interruption, half a write; once, or from there on), a run meets that failure. Each run must
end with exit code 0 or 3, never by a signal, and with a message that names the place where it failed. Then, without failures:
the store verifies; what was acknowledged is there; what wasn't is there whole or not at all; and the same again works.
`--every N` takes a seeded choice of one in N.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import time

from harness import Broken, Probe, Snapshot, fault_environment, folder, library, run
from operations import Scene, operations

#: The ways in which calls go wrong, and for how many in a row; 0 is from there on.
FAULTS = [("eio", 1), ("eio", 0), ("enospc", 1), ("enospc", 0), ("eintr", 1), ("eintr", 5), ("short", 1), ("short", 0)]


class Trial:
    """One operation in a folder of its own."""

    def __init__(self, program, probe, row, shared_library, place):
        self.row = row
        self.probe = Probe(probe)
        self.library = shared_library
        self.scene = Scene(program, place)
        self.before = self.probe.sound(self.scene.store if row.makes else row.store(self.scene))
        self.snapshot = Snapshot(place)
        self.notes = place + ".notes"
        self.figures = collections.Counter()
        code, _, errors = self.attempt()
        if code != 0:
            raise Broken(f"{row.name} without failures: exit {code}: {errors}")
        self.after = self.probe.sound(self.scene.subject(row))
        self.written = self.read_file()
        self.snapshot.restore()

    def attempt(self, **faults):
        environment = fault_environment(self.library, self.scene.folder, **faults) if faults else None
        return run(*self.scene.command_line(self.row), environment=environment)

    def read_file(self):
        """What the operation wrote beside the store; None where it is no operation of that kind, or wrote nothing."""
        if not self.row.writes or not os.path.exists(self.row.writes(self.scene)):
            return None
        with open(self.row.writes(self.scene), "rb") as file:
            return file.read()

    def read_notes(self):
        lines = []
        if os.path.exists(self.notes):
            with open(self.notes) as file:
                lines = file.read().splitlines()
            os.unlink(self.notes)
        count = next((int(line.split()[1]) for line in lines if line.startswith("count ")), 0)
        failed = next((line[7:] for line in lines if line.startswith("failed ")), None)
        return count, failed

    def plans(self):
        """Every failure that this operation can meet."""
        for kind, times in FAULTS:
            self.attempt(kind=kind, notes=self.notes)
            count, _ = self.read_notes()
            self.snapshot.restore()
            # A run may make a few calls more or less than the one that was counted.
            yield from ((kind, times, number) for number in range(1, count + 1))

    def run(self, kind, times, number):
        """One run that meets a failure, and what it left behind."""
        code, out, errors = self.attempt(kind=kind, first=number, times=times, notes=self.notes)
        _, failed = self.read_notes()
        self.figures["runs"] += 1
        self.figures["acknowledged" if code == 0 else "refused"] += 1
        try:
            self.check(code, out, errors, failed)
        except Broken as broken:
            how = "once" if times == 1 else f"{times} times" if times else "from there on"
            raise Broken(f"{self.row.name}: {kind} {how} at call {number} ({failed}): exit {code}: {broken}\n    {errors.strip()}")
        finally:
            self.snapshot.restore()

    def check(self, code, out, errors, failed):
        if code is None or code < 0:
            raise Broken("it hung" if code is None else f"died of signal {-code}")
        # A file to take in that can't be read is wrong input; all else is the store's.
        is_input = any(path in errors for path in (self.scene.table, self.scene.lines, self.scene.other, self.scene.pack))
        if code not in ((0, 2, 3) if is_input else (0, 3)) + self.row.other_codes:
            raise Broken("neither 0 nor 3")
        if code not in (0, *self.row.other_codes) and failed and self.scene.folder not in errors:
            raise Broken("the message doesn't name the place")
        if code not in (0, *self.row.other_codes) and "{" in out:
            raise Broken(f"a refused action printed a result: {out[:100]}")
        if self.row.makes:
            self.check_made(code)
        elif self.row.writes:
            self.check_written(code)
        else:
            self.check_changed(code)

    def check_changed(self, code):
        """The operation changes the store that was there."""
        seen = self.probe.sound(self.row.store(self.scene), () if code == 0 else self.row.findings)
        allowed = [self.after["events"]] if code == 0 else [self.before["events"], self.after["events"]]
        if seen["events"] not in allowed:
            raise Broken(f"{seen['events']} events, and it should be one of {allowed}")
        again, out, errors = self.attempt()
        if again not in (self.row.done_codes if seen["events"] == self.after["events"] else (0,)):
            raise Broken(f"again: exit {again}: {errors}")
        seen_again = self.probe.sound(self.row.store(self.scene))
        expected = self.after["events"]
        if self.row.adds_again and seen["events"] == self.after["events"]:
            expected += self.after["events"] - self.before["events"]
        if seen_again["events"] != expected:
            raise Broken(f"again: {seen_again['events']} events, and it should be {expected}")

    def check_written(self, code):
        """The operation writes a file whole or not at all, and changes nothing in the store."""
        if self.probe.sound(self.scene.store)["log"] != self.before["log"]:
            raise Broken("the store has changed")
        written = self.read_file()
        if written != self.written and (code == 0 or written is not None):
            raise Broken("the file isn't whole")
        if written is not None:
            os.unlink(self.row.writes(self.scene))
        again, out, errors = self.attempt()
        if again != 0 or self.read_file() != self.written:
            raise Broken(f"again: exit {again}: {errors}")

    def check_made(self, code):
        """The operation makes another store; the one that was there stays as it was."""
        if self.probe.sound(self.scene.store)["log"] != self.before["log"]:
            raise Broken("the store that was there has changed")
        made = self.scene.subject(self.row)
        if code == 0:
            if self.probe.sound(made)["events"] != self.after["events"]:
                raise Broken("what was acknowledged isn't there")
            return
        if code in self.row.other_codes:
            # It made what it could, and said that something is missing or can't be known.
            if self.probe.sound(made)["events"] > self.after["events"]:
                raise Broken("there is more than there was")
            return
        again, out, errors = self.attempt()
        # A store that was made whole and not acknowledged is refused, and is one.
        if again not in (0, 3):
            raise Broken(f"again: exit {again}: {errors}")
        if self.probe.sound(made)["events"] != self.after["events"]:
            raise Broken(f"again: exit {again}: it isn't whole")


def trial(options, row, shared_library, place, dice):
    os.mkdir(place)
    trial = Trial(options.engram, options.probe, row, shared_library, place)
    broken = []
    plans = list(trial.plans())
    # A salvage is there for disks that can't be read: none of its errors is left out.
    chosen = [plan for plan in plans if dice.randrange(options.every) == 0 or trial.row.name == "salvage" and plan[0] == "eio"]
    for plan in chosen:
        try:
            trial.run(*plan)
        except Broken as error:
            broken.append(str(error))
    trial.probe.end()
    shutil.rmtree(place)
    return row.name, len(plans), trial.figures, broken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("probe", type=os.path.abspath)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--long", action="store_true", help="every failure there is, whatever --every says")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if options.long:
        options.every = 1
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    total, broken = 0, []
    with folder() as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        shared_library = library(place)
        jobs = [
            pool.submit(trial, options, row, shared_library, os.path.join(place, f"trial-{number}"), random.Random(options.seed + number))
            for number, row in enumerate(operations(options.engram, options.only))
        ]
        for job in jobs:
            name, plans, figures, failures = job.result()
            total += figures["runs"]
            broken += failures
            print(f"{name:14} {figures['runs']:5} of {plans:5} failures met: {figures['acknowledged']:5} acknowledged all the same, "
                  f"{figures['refused']:5} refused, {len(failures)} promises broken", flush=True)
    for text in broken[:40]:
        print(text)
    print(f"{total} runs that met a failure in {time.monotonic() - started:.0f} s: {len(broken)} promises broken")
    sys.exit(1 if broken else 0)


main()
