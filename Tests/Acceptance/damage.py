#!/usr/bin/env python3
"""Damages a data file in every way that disks, copies and cables do, and looks what Engram says of it.

    damage.py ENGRAM PROBE [--cases N] [--seed S]

Each case is one damage to a fresh copy. `verify` must find it, or it must be without effect: every event exported, the
replayed state and the figures as they were. It may never die or hang. Then ordinary commands ask and answer cards: they
may refuse, with exit code 3 and a message that names the store, and never die by a signal, hang, or tell something else than before.
"""

import argparse
import collections
import os
import random
import shutil
import struct
import sys
import time

from harness import NOW, Broken, Probe, folder, run
from operations import Scene

PAGE, SECTOR = 4096, 512
NO_PAGE = (1 << 64) - 1


class File:
    """A data file, and which of its pages are in use for what; read from the format alone."""

    def __init__(self, data):
        self.data = data
        self.roles = collections.defaultdict(list)
        metas = [(struct.unpack_from("<Q", data, page * PAGE + 144)[0], page) for page in (0, 1)]
        self.newest = max(metas)[1]
        base = self.newest * PAGE
        self.walk(struct.unpack_from("<Q", data, base + 40 + 40)[0], "free list")
        self.walk(struct.unpack_from("<Q", data, base + 88 + 40)[0], None)
        self.live = sorted(page for pages in self.roles.values() for page in pages)

    def walk(self, page, role):
        if page == NO_PAGE:
            return
        base = page * PAGE
        flags, lower = struct.unpack_from("<HH", self.data, base + 10)
        is_branch = flags & 1
        self.roles[role or ("branch" if is_branch else "leaf")].append(page)
        for offset in struct.unpack_from(f"<{(lower - 16) // 2}H", self.data, base + 16):
            low, high, node_flags, key = struct.unpack_from("<HHHH", self.data, base + offset)
            content = base + offset + 8 + key
            if is_branch:
                self.walk(low | high << 16 | node_flags << 32, role)
            elif node_flags & 1:
                first = struct.unpack_from("<Q", self.data, content)[0]
                count = (16 + (low | high << 16) + PAGE - 1) // PAGE
                self.roles[role or "overflow"] += range(first, first + count)
            elif node_flags & 2:
                self.walk(struct.unpack_from("<Q", self.data, content + 40)[0], role)


def flip(data, start, count, dice):
    data[start + dice.randrange(count)] ^= 1 << dice.randrange(8)


def fill(data, start, content):
    data[start:start + len(content)] = content


def bit_in(role, first=PAGE):
    return lambda file, data, dice, old: flip(data, dice.choice(file.roles[role] if role else file.live) * PAGE, first, dice)


def bit_in_key(file, data, dice, old):
    """A page's order is its keys'; its last one leads on to the next page."""
    base = dice.choice(file.roles["leaf"]) * PAGE
    lower = struct.unpack_from("<H", data, base + 12)[0]
    places = struct.unpack_from(f"<{(lower - 16) // 2}H", data, base + 16)
    place = base + dice.choice([places[0], places[-1], dice.choice(places)])
    flip(data, place + 8, struct.unpack_from("<H", data, place + 6)[0], dice)


def put_in(role, count, content):
    def change(file, data, dice, old):
        start = dice.choice(file.roles[role] if role else file.live) * PAGE + SECTOR * dice.randrange(PAGE // count if count < PAGE else 1)
        fill(data, start, content(dice, count))
    return change


def zeros(dice, count):
    return bytes(count)


def noise(dice, count):
    return dice.randbytes(count)


def swap(file, data, dice, old):
    one, other = dice.sample(file.live, 2)
    first, second = bytes(data[one * PAGE:][:PAGE]), bytes(data[other * PAGE:][:PAGE])
    fill(data, one * PAGE, second)
    fill(data, other * PAGE, first)


def duplicate(file, data, dice, old):
    one, other = dice.sample(file.live, 2)
    fill(data, one * PAGE, bytes(data[other * PAGE:][:PAGE]))


def go_back(file, data, dice, old):
    """A write that was lost: a page as it was some commits ago."""
    changed = [page for page in file.live if (page + 1) * PAGE <= len(old) and old[page * PAGE:][:PAGE] != data[page * PAGE:][:PAGE]]
    page = dice.choice(changed)
    fill(data, page * PAGE, old[page * PAGE:(page + 1) * PAGE])


def cut_at_page(file, data, dice, old):
    del data[dice.randrange(1, len(data) // PAGE) * PAGE:]


def cut_anywhere(file, data, dice, old):
    del data[dice.randrange(len(data)):]


def grow(file, data, dice, old):
    data += dice.choice([bytes, dice.randbytes])(dice.choice([1, 511, PAGE, 10 * PAGE]))


def bit_in_meta(file, data, dice, old):
    flip(data, dice.randrange(2) * PAGE + 16, 136, dice)


def zero_meta(file, data, dice, old):
    fill(data, dice.randrange(2) * PAGE, bytes(PAGE))


def copy_meta(file, data, dice, old):
    one = dice.randrange(2)
    fill(data, one * PAGE, bytes(data[(1 - one) * PAGE:][:PAGE]))


def old_meta(file, data, dice, old):
    page = dice.randrange(2)
    fill(data, page * PAGE, old[page * PAGE:(page + 1) * PAGE])


ROWS = [
    ("1 bit in any page in use", bit_in(None)),
    ("1 bit in a branch page", bit_in("branch")),
    ("1 bit in the first 48 bytes", bit_in(None, 48)),
    ("1 bit in a list of free pages", bit_in("free list", 128)),
    ("1 bit in an overflow page", bit_in("overflow")),
    ("1 bit in a key of a leaf page", bit_in_key),
    ("page zeroed", put_in(None, PAGE, zeros)),
    ("sector zeroed", put_in(None, SECTOR, zeros)),
    ("page of noise", put_in(None, PAGE, noise)),
    ("sector of noise", put_in(None, SECTOR, noise)),
    ("two pages swapped", swap),
    ("page in place of another", duplicate),
    ("page of an older commit", go_back),
    ("overflow page zeroed", put_in("overflow", PAGE, zeros)),
    ("file cut at a page", cut_at_page),
    ("file cut anywhere", cut_anywhere),
    ("file grown", grow),
    ("1 bit in a meta page", bit_in_meta),
    ("meta page zeroed", zero_meta),
    ("meta page twice", copy_meta),
    ("meta page of an older commit", old_meta),
]

#: What is asked of a damaged store by itself, and on the command line where it killed whoever asked.
COMMANDS = [("due",), ("stats",), ("card", "list"), ("log", "export"), ("review",)]


class Matrix:
    def __init__(self, options, place):
        self.options = options
        self.probe = Probe(options.probe)
        scene = Scene(options.engram, os.path.join(place), rows=250)
        for _ in range(120):
            scene.right("review", scene.card, "good")
        scene.right("rebuild")
        with open(os.path.join(scene.store, "data.mdb"), "rb") as file:
            self.old = file.read()
        for _ in range(40):
            scene.right("review", scene.card, "hard")
        scene.right("card", "add", scene.deck, "--front", "a tail", "--back", "text " * 3000)
        self.card = scene.card
        with open(os.path.join(scene.store, "data.mdb"), "rb") as file:
            self.file = File(file.read())
        self.store = scene.store
        self.read = self.probe.sound(self.store)
        self.asked = self.probe.ask("ask", self.store)
        self.figures = collections.defaultdict(collections.Counter)
        self.broken = []

    def put(self, data):
        with open(os.path.join(self.store, "data.mdb"), "r+b") as file:
            file.write(data)
            file.truncate()

    def case(self, name, change, seed):
        dice = random.Random(seed)
        data = bytearray(self.file.data)
        change(self.file, data, dice, self.old)
        row = self.figures[name]
        row["cases"] += 1
        self.put(data)
        try:
            self.verify(row)
            self.ask(row)
            self.put(data)
            self.write(row)
        except Broken as broken:
            self.broken.append(f"{name}, case seed {seed}: {broken}")

    def verify(self, row):
        verified = self.probe.ask("verify", self.store)
        if "signal" in verified or "hang" in verified:
            raise Broken(f"verify: {verified}")
        if verified.get("findings") or "error" in verified:
            row["found"] += 1
            return
        row["no effect"] += 1
        if self.probe.ask("read", self.store) != self.read:
            row["silent"] += 1
            raise Broken("verify finds nothing, and the store isn't what it was")

    def ask(self, row):
        asked = self.probe.ask("ask", self.store)
        if "signal" in asked or "hang" in asked:
            row["guarded"] += 1
            return self.guarded(COMMANDS[:-1])
        if "error" in asked:
            row["refused"] += 1
            return
        wrong = [
            name for name, value in self.asked.items() if asked.get(name) != value and not asked.get(name, "").startswith("error: ")]
        if wrong:
            row["wrong answers"] += 1
            raise Broken(f"other answers than before, and no error: {wrong}")
        row["right answers" if asked == self.asked else "partly refused"] += 1

    def guarded(self, lines):
        """Commands that meet what kills a process must end like any that can't read their store."""
        for words in lines:
            words = (*words, self.card, "good") if words[0] == "review" else words
            code, out, errors = run(self.options.engram, *words, "--store", self.store, "--now", NOW, "--json", timeout=20)
            if code not in (0, 3):
                raise Broken(f"{' '.join(words)}: " + ("it hung" if code is None else f"exit {code}: {errors.strip()[-300:]}"))
            if code == 3 and self.store not in errors:
                raise Broken(f"{' '.join(words)}: exit 3, and the message doesn't name the store: {errors}")

    def write(self, row):
        """An action on the damaged store is refused, or acknowledged and there."""
        written = self.probe.ask("write", self.store)
        if "signal" in written or "hang" in written:
            return self.guarded(COMMANDS[-1:])
        if "error" not in written and written.get("passed") != 1:
            raise Broken(f"an action was acknowledged and isn't there: {written}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("probe", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--case", help="one case again: the number of its row, a colon, its seed")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    with folder() as place:
        matrix = Matrix(options, place)
        dice = random.Random(options.seed)
        if options.case:
            row, seed = map(int, options.case.split(":"))
            matrix.case(*ROWS[row], seed)
        for number in range(0 if options.case else options.cases):
            matrix.case(*ROWS[number % len(ROWS)], dice.randrange(1 << 32))
        matrix.probe.end()
    columns = ["cases", "found", "no effect", "silent", "refused", "partly refused", "right answers", "wrong answers", "guarded"]
    print(f"{'':30}" + "".join(f"{name:>15}" for name in columns))
    for name, _ in ROWS:
        print(f"{name:30}" + "".join(f"{matrix.figures[name][column]:15}" for column in columns))
    for text in matrix.broken[:60]:
        print(text)
    print(f"{sum(row['cases'] for row in matrix.figures.values())} cases in {time.monotonic() - started:.0f} s: "
          f"{len(matrix.broken)} promises broken")
    sys.exit(1 if matrix.broken else 0)


if __name__ == "__main__":
    main()
