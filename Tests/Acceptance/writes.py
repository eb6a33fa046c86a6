#!/usr/bin/env python3
"""Damages a data file and then writes to it: nothing that was whole may be lost by a write.

    writes.py ENGRAM [--cases N] [--seed S] [--case ROW:SEED]

Each case is one damage to a fresh copy: those of damage.py, and lies told on purpose, one page naming another as its own or as free.
Then one command that writes (review, rebuild, import, erase, compact), then answers. Of each event it is known where it lies in the
file, so that after the damage it is known which are whole. It must hold:

- a command is right, says no, or refuses with exit code 3 and a message that names the store and the next command;
- none dies by a signal, takes more than 20 seconds, or more than 300 MB;
- every event that was whole before is whole after, and what could be exported before can be exported after;
- an answer that was acknowledged is in the log;
- a rebuild cures what concerns neither the log nor content.
"""

import argparse
import collections
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from damage import PAGE, ROWS, File
from harness import NOW, Broken, folder, run
from operations import Scene
from rescue import original, read_events

MEBIBYTES = 300
SECONDS = 20


class Layout(File):
    """A data file with the trees in it: their branches, leaves and entries."""

    def __init__(self, data):
        super().__init__(data)
        base = self.newest * PAGE
        self.meta = base
        self.last_page, = struct.unpack_from("<Q", data, base + 136)
        self.main, = struct.unpack_from("<Q", data, base + 88 + 40)
        self.free, = struct.unpack_from("<Q", data, base + 40 + 40)
        self.records = {bytes(key).decode(): place for key, place, _, _ in self.entries(self.main)}

    def pages_of(self, root):
        """The pages of a tree, branches before what they lead to, with whether each is a branch."""
        if root == (1 << 64) - 1:
            return
        flags, = struct.unpack_from("<H", self.data, root * PAGE + 10)
        yield root, bool(flags & 1)
        if flags & 1:
            for node in self.nodes(root):
                low, high, top = struct.unpack_from("<HHH", self.data, node)
                yield from self.pages_of(low | high << 16 | top << 32)

    def nodes(self, page):
        lower, = struct.unpack_from("<H", self.data, page * PAGE + 12)
        return [page * PAGE + place for place in struct.unpack_from(f"<{(lower - 16) // 2}H", self.data, page * PAGE + 16)]

    def entries(self, root):
        """Key, place of the value, its size, and the first page of its run or none."""
        for page, is_branch in self.pages_of(root):
            for node in () if is_branch else self.nodes(page):
                low, high, flags, key = struct.unpack_from("<HHHH", self.data, node)
                place = node + 8 + key
                run = struct.unpack_from("<Q", self.data, place)[0] if flags & 1 else None
                yield self.data[node + 8:node + 8 + key], place, low | high << 16, run

    def root(self, name):
        return struct.unpack_from("<Q", self.data, self.records[name] + 40)[0]

    def lists(self):
        """Where each list of free pages begins, and how many it names."""
        for _, place, _, run in self.entries(self.free):
            start = run * PAGE + 16 if run else place
            yield start, struct.unpack_from("<Q", self.data, start)[0]

    def longest_list(self):
        return max(self.lists(), key=lambda entry: entry[1])

    def runs(self, name):
        return [(place, run) for _, place, _, run in self.entries(self.root(name)) if run]

    def used_pages(self, name):
        """Every page that a tree uses."""
        for page, _ in self.pages_of(self.root(name)):
            yield page
        for _, _, size, run in self.entries(self.root(name)):
            if run:
                yield from range(run, run + (16 + size + PAGE - 1) // PAGE)

    def free_pages(self):
        for start, count in self.lists():
            yield from struct.unpack_from(f"<{count}Q", self.data, start + 8)


def put(data, offset, value, form="<Q"):
    struct.pack_into(form, data, offset, value)


def free_is(pages):
    """A list of free pages names others, in its order."""
    def change(file, data, dice, old):
        start, count = file.longest_list()
        wanted = pages(file, dice)
        chosen = dice.sample(wanted, min(len(wanted), dice.choice([1, 3, count]), count))
        kept = list(struct.unpack_from(f"<{count}Q", data, start + 8))
        dice.shuffle(kept)
        named = sorted(set(chosen + kept[:count - len(chosen)]), reverse=True)
        put(data, start, len(named))
        struct.pack_into(f"<{len(named)}Q", data, start + 8, *named)
    return change


def used_by(*names):
    return free_is(lambda file, dice: [page for name in names for page in file.used_pages(name)])


def list_count(file, data, dice, old):
    start, count = file.longest_list()
    put(data, start, dice.choice([count + 1, count * 2 + 7, 1 << 31, 1 << 40, (1 << 64) - 1, max(0, count - 1), 0]))


def list_key(file, data, dice, old):
    node = dice.choice([node for page, is_branch in file.pages_of(file.free) if not is_branch for node in file.nodes(page)])
    put(data, node + 8, dice.choice([0, 1, 1 << 40, struct.unpack_from("<Q", data, file.meta + 144)[0] + 1]))


def list_shuffled(file, data, dice, old):
    start, count = file.longest_list()
    named = list(struct.unpack_from(f"<{count}Q", data, start + 8))
    dice.shuffle(named)
    struct.pack_into(f"<{count}Q", data, start + 8, *named)


def run_elsewhere(name, targets):
    """A large value of one tree is said to lie where another's is."""
    def change(file, data, dice, old):
        put(data, dice.choice(file.runs(name))[0], dice.choice(targets(file)))
    return change


def run_length(name):
    def change(file, data, dice, old):
        put(data, dice.choice(file.runs(name))[1] * PAGE + 12, dice.choice([0, 1, 2, 9, 200, 1 << 31]), "<I")
    return change


def child_elsewhere(file, data, dice, old):
    branches = [page for name in ("commits", "timelines", "checkpoints") for page, is_branch in file.pages_of(file.root(name)) if is_branch]
    node = dice.choice(file.nodes(dice.choice(branches)))
    put(data, node, dice.choice(file.live) & 0xFFFFFFFF, "<I")


def root_elsewhere(file, data, dice, old):
    put(data, file.records[dice.choice(["commits", "timelines", "checkpoints", "records"])] + 40, dice.choice(file.live))


def record_field(file, data, dice, old):
    place = file.records[dice.choice(["commits", "timelines", "checkpoints", "records"])]
    offset, form = dice.choice([(6, "<H"), (8, "<Q"), (16, "<Q"), (24, "<Q"), (32, "<Q")])
    put(data, place + offset, max(0, struct.unpack_from(form, data, place + offset)[0] + dice.choice([-1, 1, 5])), form)


def header_field(file, data, dice, old):
    page = dice.choice(file.live) * PAGE
    offset, form = dice.choice([(0, "<Q"), (10, "<H"), (12, "<H"), (14, "<H")])
    put(data, page + offset, dice.choice([0, 1, 2, 16, 64, PAGE, dice.randrange(1 << 16)]), form)


def meta_field(file, data, dice, old):
    offset, form = dice.choice([(136, "<Q"), (144, "<Q"), (40 + 40, "<Q"), (88 + 40, "<Q"), (40 + 32, "<Q"), (88 + 32, "<Q"), (40 + 6, "<H")])
    value = struct.unpack_from(form, data, file.meta + offset)[0]
    put(data, file.meta + offset, max(0, value + dice.choice([-2, -1, 1, 2, 64])) % (1 << 16 if form == "<H" else 1 << 64), form)


LIES = [
    ("pages of the log are free", used_by("commits")),
    ("pages of the checkpoint are free", used_by("checkpoints", "timelines")),
    ("roots are free", free_is(lambda file, dice: [file.main, file.free, file.root("commits"), file.root("records")])),
    ("meta pages are free", free_is(lambda file, dice: [0, 1])),
    ("pages beyond the end are free", free_is(lambda file, dice: [file.last_page + step for step in (1, 2, 50, 1 << 30)])),
    ("a list of another length", list_count),
    ("a list of another commit", list_key),
    ("a list out of order", list_shuffled),
    ("a block of the checkpoint is a commit", run_elsewhere("checkpoints", lambda file: [run for _, run in file.runs("commits")])),
    ("a block of the checkpoint is a page of the log", run_elsewhere("checkpoints", lambda file: list(file.used_pages("commits")))),
    ("a block of the checkpoint is free", run_elsewhere("checkpoints", lambda file: list(file.free_pages()))),
    ("a commit is another", run_elsewhere("commits", lambda file: [run for _, run in file.runs("commits")])),
    ("a block of another length", run_length("checkpoints")),
    ("a large commit of another length", run_length("commits")),
    ("a branch leads elsewhere", child_elsewhere),
    ("a tree begins elsewhere", root_elsewhere),
    ("a tree's record", record_field),
    ("a page's header", header_field),
    ("the newest meta page", meta_field),
]
ROWS = LIES + ROWS

#: Lies that leave the log and what can't be made from it whole, so that `rebuild` must cure them.
CURED = {name for name, _ in LIES if " free" in name or "a block of the checkpoint" in name} | {
    "a list of another commit", "a list out of order", "a block of another length"}

WRITES = ["review", "rebuild", "import", "erase", "compact"]


def frames(data, place, size):
    """The frames of a commit by event and subject: each begins with its checksum and two bytes of its own, and says its length."""
    at = data.find(b"\xe7\x4e", place, place + size)
    while at >= 0:
        start = at - 4
        length, = struct.unpack_from("<I", data, start + 12)
        if 50 <= length <= place + size - start:
            yield bytes(data[start:start + length])
            at = data.find(b"\xe7\x4e", start + length, place + size)
        else:
            at = data.find(b"\xe7\x4e", at + 1, place + size)


class Matrix:
    def __init__(self, options, place):
        self.options = options
        self.place = place
        self.scene = scene = Scene(options.engram, place, rows=250)
        for _ in range(60):
            scene.right("review", scene.card, "good")
        for number in range(6):
            scene.right("card", "add", scene.deck, "--front", f"a tail {number}", "--back", "text " * 3000)
        scene.right("rebuild")
        with open(self.data_path, "rb") as file:
            self.old = file.read()
        for _ in range(25):
            scene.right("review", scene.card, "hard")
        scene.right("card", "add", scene.deck, "--front", "a last tail", "--back", "text " * 3000)
        self.files = {}
        for name in os.listdir(scene.store):
            with open(os.path.join(scene.store, name), "rb") as file:
                self.files[name] = file.read()
        self.file = Layout(self.files["data.mdb"])
        # The same file under a second name: a store that finds itself in another file goes on as another device.
        self.kept = os.path.join(place, "kept")
        os.link(self.data_path, self.kept)
        self.spare = bytes.fromhex(scene.spare.replace("-", ""))
        self.events = [(place, frame) for place, frame in self.events_of(self.file)]
        self.figures = collections.defaultdict(collections.Counter)
        self.peak, self.longest = 0, 0.0
        self.broken = []

    @property
    def data_path(self):
        return os.path.join(self.scene.store, "data.mdb")

    @staticmethod
    def events_of(file):
        for _, place, size, run in file.entries(file.root("commits")):
            start = run * PAGE + 16 if run else place
            for frame in frames(file.data, start, size):
                yield file.data.index(frame, start), frame

    def put(self, data):
        """The store as it was, with another content of its data file."""
        store = self.scene.store
        for name in os.listdir(store):
            path = os.path.join(store, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif name not in self.files or name == "data.mdb" or os.path.islink(path):
                os.unlink(path)
        os.link(self.kept, self.data_path)
        for name, content in self.files.items():
            with open(os.path.join(store, name), "r+b" if name == "data.mdb" else "wb") as file:
                file.write(data if name == "data.mdb" else content)
                file.truncate()

    def command(self, *words):
        """Runs a command of engram; its exit code and output. Broken where no command may end like that."""
        line = [self.options.engram, *words, "--store", self.scene.store, "--now", NOW, "--json"]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            started = time.monotonic()
            child = subprocess.Popen(line, stdout=out, stderr=errors, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
            while True:
                done, status, usage = os.wait4(child.pid, os.WNOHANG)
                seconds = time.monotonic() - started
                if done:
                    break
                if seconds > SECONDS:
                    child.kill()
                    os.wait4(child.pid, 0)
                    raise Broken(f"{words[0]}: it took more than {SECONDS} s")
                time.sleep(0.001)
            child.returncode = 0
            out.seek(0)
            errors.seek(0)
            text, message = out.read().decode(errors="replace"), errors.read().decode(errors="replace")
        self.peak, self.longest = max(self.peak, usage.ru_maxrss), max(self.longest, seconds)
        if usage.ru_maxrss > MEBIBYTES * 1024:
            raise Broken(f"{words[0]}: {usage.ru_maxrss // 1024} MiB of memory")
        if not os.WIFEXITED(status):
            raise Broken(f"{words[0]}: signal {os.WTERMSIG(status)}")
        code = os.WEXITSTATUS(status)
        if code not in (0, 1, 2, 3):
            raise Broken(f"{words[0]}: exit {code}: {message[-300:]}")
        if code == 3 and (self.scene.store not in message or "engram " not in message):
            raise Broken(f"{words[0]}: exit 3, and the message doesn't name the store and what to do: {message}")
        return code, text

    def case(self, name, change, seed, write):
        dice = random.Random(seed)
        data = bytearray(self.files["data.mdb"])
        change(self.file, data, dice, self.old)
        row = self.figures[name]
        row["cases"] += 1
        self.has_note = dice.random() >= 0.3
        if not self.has_note:
            # A file that came alone, or whose note didn't reach the disk.
            files, self.files = self.files, {key: value for key, value in self.files.items() if key != "commit.note"}
            self.put(data)
            self.files = files
        else:
            self.put(data)
        try:
            self.check(name, row, data, write)
        except Broken as broken:
            self.broken.append(f"{name}, then {write}, case {[row[0] for row in ROWS].index(name)}:{seed}:{write}: {broken}")

    def check(self, name, row, data, write):
        whole = [frame for place, frame in self.events if data[place:place + len(frame)] == frame]
        code, before = self.command("log", "export")
        before = before.splitlines() if code == 0 else []
        words = {"review": ["review", self.scene.card, "good"], "import": ["import", self.scene.table, "--zone", "UTC"],
                 "erase": ["erase", self.scene.spare]}.get(write, [write])
        acknowledged = []
        for words in [words] + [["review", self.scene.card, "good"]] * 3:
            code, text = self.command(*words)
            row["written" if code == 0 else "refused"] += 1
            if words[0] == "review" and code == 0:
                acknowledged.append(json.loads(text)["event"])
        self.look(row, whole, before, acknowledged, write == "erase")
        # Without the note nothing tells a list of another commit from a meta page of another one, which no rebuild may take for right.
        if write == "rebuild" and name in CURED and (self.has_note or name != "a list of another commit"):
            code, text = self.command("verify")
            if code != 0:
                raise Broken(f"rebuild didn't cure it: {text[-500:]}")

    def look(self, row, whole, before, acknowledged, was_erased):
        with open(self.data_path, "rb") as file:
            after = file.read()
        lost = [frame for frame in whole if frame not in after and not (was_erased and self.spare in frame)]
        if lost:
            raise Broken(f"{len(lost)} of {len(whole)} events that were whole are gone")
        code, text = self.command("log", "export")
        lines = text.splitlines() if code == 0 else []
        if before and code != 0:
            raise Broken("the log could be read before, and can't be read any more")
        if before and not was_erased and lines[:len(before)] != before:
            raise Broken("the log has changed")
        if acknowledged:
            there = {json.loads(line)["event"] for line in lines} if code == 0 else self.salvaged()
            if not there.issuperset(acknowledged):
                raise Broken(f"acknowledged and not there: {acknowledged}")
        row["log readable" if code == 0 else "log refused"] += 1

    def salvaged(self):
        target = os.path.join(self.place, "rescued")
        shutil.rmtree(target, ignore_errors=True)
        code, _, errors = run(self.options.engram, "salvage", self.scene.store, target, "--now", NOW, "--json")
        if code not in (0, 1):
            raise Broken(f"salvage: exit {code}: {errors}")
        _, out, _ = run(self.options.engram, "log", "export", "--store", target)
        return {original(event) for event in read_events(out)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--case", help="one case again: the number of its row, its seed and what is written, between colons")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    with folder() as place:
        matrix = Matrix(options, place)
        dice = random.Random(options.seed)
        if options.case:
            row, seed, write = options.case.split(":")
            matrix.case(*ROWS[int(row)], int(seed), write)
        for number in range(0 if options.case else options.cases):
            # Every row with every write in turn.
            name, change = ROWS[number % len(ROWS)]
            matrix.case(name, change, dice.randrange(1 << 32), WRITES[(number // len(ROWS) + number) % len(WRITES)])
    columns = ["cases", "written", "refused", "log readable", "log refused"]
    print(f"{'':50}" + "".join(f"{name:>14}" for name in columns))
    for name, _ in ROWS:
        print(f"{name:50}" + "".join(f"{matrix.figures[name][column]:14}" for column in columns))
    for text in matrix.broken[:60]:
        print(text)
    print(f"at most {matrix.peak // 1024} MiB and {matrix.longest:.1f} s a command, {len(matrix.events)} events")
    print(f"{sum(row['cases'] for row in matrix.figures.values())} cases in {time.monotonic() - started:.0f} s: "
          f"{len(matrix.broken)} promises broken")
    sys.exit(1 if matrix.broken else 0)


main()
