#!/usr/bin/env python3
"""Builds the states in which a power cut may leave a data file, and opens each of them.

    crashes.py ENGRAM PROBE [--states N] [--seed S]

Actions are taken, each by a process of its own, whose writes to and syncs of the data file are recorded. What had been synced
is on the disk; of what was written since, any part may be: every subset of its pages where they are few, a seeded choice
of subsets where they are many, pages torn at any of their sectors of 512 bytes, and a file that did or didn't grow. Each state must
verify deep without a finding, hold exactly the actions up to the last commit that was on the disk or to the one that was
under way, and take another action. `--states N` is how many states one recorded sync is worth at most.

The one write that LMDB relies on to be whole is the 120 bytes of a meta page, all in one sector. States in which that sector is
torn are tried apart and counted by what became of them.
"""

import argparse
import collections
import itertools
import os
import random
import struct
import sys
import time

from harness import NOW, Broken, Probe, fault_environment, folder, library, right, run, sample

PAGE, SECTOR = 4096, 512


class Disk:
    """A data file: what is on the disk for sure, and what was written since."""

    def __init__(self, data=b""):
        self.durable = bytearray(data)
        self.pending = []

    @staticmethod
    def put(data, offset, piece):
        if len(data) < offset:
            data.extend(bytes(offset - len(data)))
        data[offset:offset + len(piece)] = piece

    def units(self):
        """What was written since, page by page."""
        units = []
        for offset, piece in self.pending:
            while piece:
                count = PAGE - offset % PAGE
                units.append((offset, piece[:count]))
                offset, piece = offset + count, piece[count:]
        return units

    def with_units(self, units):
        data = bytearray(self.durable)
        for offset, piece in units:
            self.put(data, offset, piece)
        return data

    def sync(self):
        self.durable = self.with_units(self.pending)
        self.pending = []


def torn(unit, dice):
    """Some of a page's sectors, as if the others hadn't been written yet."""
    offset, piece = unit
    sectors = [(offset + start, piece[start:start + SECTOR]) for start in range(0, len(piece), SECTOR)]
    if len(sectors) == 1:
        return []
    chosen = [sector for sector in sectors if dice.random() < 0.5]
    return chosen if chosen else sectors[:1]


def states(disk, limit, dice):
    """States of the file in the middle of a sync, with what makes each what it is."""
    units = disk.units()
    count = len(units)
    full = max([len(disk.durable)] + [offset + len(piece) for offset, piece in units])
    if 2 ** count <= limit // 2:
        subsets = [tuple(chosen) for size in range(count + 1) for chosen in itertools.combinations(range(count), size)]
    else:
        subsets = [(), tuple(range(count))]
        subsets += [(one,) for one in range(count)] + [tuple(other for other in range(count) if other != one) for one in range(count)]
        subsets += [tuple(range(end)) for end in range(2, count - 1)]
        dice.shuffle(subsets)
        subsets = subsets[:limit // 3]
        while len(subsets) < limit // 2:
            share = dice.random()
            subsets.append(tuple(one for one in range(count) if dice.random() < share))
    for chosen in subsets:
        yield f"pages {chosen} of {count}", disk.with_units([units[one] for one in chosen])
    for _ in range(limit // 2 if count else 0):
        share = dice.random()
        parts = []
        for unit in units:
            kept = dice.random()
            parts += [unit] if kept < share else torn(unit, dice) if kept < (1 + share) / 2 else []
        data = disk.with_units(parts)
        size = dice.choice([len(data), full, dice.randrange(len(disk.durable), full + 1, SECTOR) if full > len(disk.durable) else full])
        yield f"torn pages, {size} bytes long", data[:size] + bytes(max(0, size - len(data)))


class Recording:
    """A store whose commands are recorded."""

    def __init__(self, options, place, shared_library):
        self.options = options
        self.place = place
        self.library = shared_library
        self.store = os.path.join(place, "store")
        self.file = os.path.join(place, "record")

    def act(self, *words):
        """Runs a command; what it printed, and what it did to the data file."""
        environment = fault_environment(self.library, self.place, record=self.file)
        code, out, errors = run(
            self.options.engram, *words, "--store", self.store, "--now", NOW, "--json", environment=environment)
        if code != 0:
            raise Broken(f"{words}: exit {code}: {errors}")
        with open(self.file, "rb") as file:
            data = file.read()
        os.unlink(self.file)
        events, place = [], 0
        while place < len(data):
            kind, offset, count = struct.unpack_from("<cQQ", data, place)
            place += 17
            events.append((kind.decode(), offset, data[place:place + count]))
            place += count
        return out, events

    def data(self):
        with open(os.path.join(self.store, "data.mdb"), "rb") as file:
            return file.read()


class Checker:
    """Opens states, in a folder of its own."""

    def __init__(self, options, place):
        self.options = options
        self.probe = Probe(options.probe)
        self.store = os.path.join(place, "state")
        os.mkdir(self.store)
        self.figures = collections.Counter()
        self.broken = []

    def put(self, data, guard=b"engram\n"):
        for name, content in (("data.mdb", data), ("engram.lock", guard), ("writer.lock", b"")):
            path = os.path.join(self.store, name)
            with open(path, "r+b" if os.path.exists(path) else "wb") as file:
                file.write(content)
                file.truncate()

    def read(self, data):
        self.put(data)
        return self.probe.sound(self.store)

    def check(self, what, data, allowed):
        self.figures["states"] += 1
        try:
            seen = self.read(data)
            if seen["log"] not in allowed:
                raise Broken(f"{seen['events']} events, which is no state that was ever acknowledged or under way")
            if self.figures["states"] % 10 == 0:
                self.goes_on()
        except Broken as broken:
            self.broken.append(f"{what}: {broken}")

    def goes_on(self):
        written = self.probe.ask("write", self.store)
        if written.get("passed") != 1 and written.get("event") != "none":
            raise Broken(f"the next action: {written}")
        self.probe.sound(self.store)
        self.figures["gone on with"] += 1

    def check_torn_meta(self, before, write, allowed):
        """Cuts through the sector of the meta page at every eighth byte, from either end."""
        offset, piece = write
        for cut in range(8, len(piece), 8):
            for part in [(offset, piece[:cut]), (offset + cut, piece[cut:])]:
                data = bytearray(before)
                Disk.put(data, *part)
                self.put(data)
                verified = self.probe.ask("verify", self.store)
                if "signal" in verified or "hang" in verified:
                    self.broken.append(f"meta page torn at {cut}: {verified}")
                elif verified.get("findings", 1):
                    self.figures["torn meta pages found"] += 1
                elif self.probe.ask("read", self.store).get("log") in allowed:
                    self.figures["torn meta pages without effect"] += 1
                else:
                    self.figures["torn meta pages overlooked"] += 1


def steps(recording, card):
    """What is done: single answers, long texts, imports, checkpoints, and again, so that freed pages are used anew."""
    place = recording.place
    deck = recording.deck
    answer = lambda grade: ("review", card, grade)
    yield from (answer(grade) for grade in ("good", "again", "easy"))
    yield ("import", sample(os.path.join(place, "a.csv"), 40), "--zone", "UTC")
    yield from (answer(grade) for grade in ("hard", "good"))
    yield ("card", "add", deck, "--front", "long", "--back", "text " * 2000)
    yield ("rebuild",)
    yield answer("good")
    yield ("import", sample(os.path.join(place, "b.csv"), 400, skip=40), "--zone", "UTC")
    yield from (answer(grade) for grade in ("again", "good", "easy"))
    yield ("rebuild",)
    yield from (answer(grade) for grade in ("hard", "good"))
    yield ("card", "add", deck, "--front", "longer", "--back", "text " * 3000)
    yield ("undo",)
    yield ("rebuild",)
    yield from (answer(grade) for grade in ("good", "easy"))


def check_steps(recording, checker, options, dice):
    card = recording.card
    disk = Disk(recording.data())
    acknowledged = checker.read(disk.durable)["log"]
    for number, words in enumerate(steps(recording, card), 1):
        _, events = recording.act(*words)
        name = f"step {number} ({words[0]})"
        for kind, offset, piece in events:
            if kind == "W":
                disk.pending.append((offset, piece))
            elif kind == "T":
                raise Broken(f"{name}: the data file was cut")
            elif kind == "S" and disk.pending:
                for what, data in states(disk, options.states, dice):
                    checker.check(f"{name}: {what}", data, {acknowledged})
                disk.sync()
                checker.figures["syncs"] += 1
            elif kind == "D":
                before = bytes(disk.durable)
                disk.pending.append((offset, piece))
                after = checker.read(disk.with_units(disk.pending))["log"]
                for what, data in states(disk, options.states, dice):
                    checker.check(f"{name}: commit: {what}", data, {acknowledged, after})
                checker.check_torn_meta(before, (offset, piece), {acknowledged, after})
                disk.sync()
                # From here on the commit is on the disk, whether or not anybody was told yet.
                acknowledged = after
                checker.figures["commits"] += 1
        if disk.pending:
            raise Broken(f"{name}: acknowledged with {len(disk.pending)} writes that no sync followed")
        if bytes(disk.durable) != recording.data():
            raise Broken(f"{name}: the recorded writes don't add up to the file")
        if checker.read(disk.durable)["log"] != checker.probe.sound(recording.store)["log"]:
            raise Broken(f"{name}: acknowledged and not on the disk")
        checker.figures["steps"] += 1


def check_making(recording, checker, options, dice):
    """A store whose making was cut short: made again, it is an empty store."""
    _, events = recording.act("init")
    disk, guards = Disk(), [b""]
    for kind, offset, piece in events:
        if kind == "G":
            guards = [b"", b"engram\n"]
        elif kind == "T":
            disk.pending = []
            disk.durable = disk.durable[:offset]
        elif kind in "WD":
            disk.pending.append((offset, piece))
        if kind in "SD" and disk.pending:
            for what, data in states(disk, options.states // 4, dice):
                checker.put(data, dice.choice(guards))
                # The note of a commit is written once that is on the disk; this one is of the state before.
                note = os.path.join(checker.store, "commit.note")
                if os.path.exists(note):
                    os.unlink(note)
                code, out, errors = run(options.engram, "init", "--store", checker.store, "--json")
                checker.figures["states of a store in the making"] += 1
                try:
                    if code not in (0, 3):
                        raise Broken(f"exit {code}")
                    if checker.probe.sound(checker.store)["events"] != 0:
                        raise Broken("it holds something")
                except Broken as broken:
                    checker.broken.append(f"init again: {what}: exit {code}: {errors.strip()}: {broken}")
            disk.sync()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("probe", type=os.path.abspath)
    parser.add_argument("--states", type=int, default=64)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    dice = random.Random(options.seed)
    started = time.monotonic()
    with folder() as place:
        recording = Recording(options, place, library(place))
        checker = Checker(options, place)
        check_making(recording, checker, options, dice)
        recording.deck = right(options.engram, "deck", "add", "Words", "--store", recording.store, "--now", NOW)["id"]
        recording.card = right(
            options.engram, "card", "add", recording.deck, "--front", "a", "--back", "b", "--store", recording.store, "--now", NOW)["id"]
        check_steps(recording, checker, options, dice)
        checker.probe.end()
    for text in checker.broken[:40]:
        print(text)
    for name, count in checker.figures.items():
        print(f"{count:7} {name}")
    print(f"{checker.figures['states']} states after a power cut in {time.monotonic() - started:.0f} s: "
          f"{len(checker.broken)} promises broken")
    sys.exit(1 if checker.broken else 0)


main()
