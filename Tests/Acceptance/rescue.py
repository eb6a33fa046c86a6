#!/usr/bin/env python3
"""Damages stores in every way that disks do, and looks whether engram notices and what it gets back.

    rescue.py ENGRAM [--cases N] [--seed S]

A store is made that has what stores have: an import, small commits, large texts, answers taken back and corrected. Where each
event lies in the file is known, so that after a damage it is known which events are left whole. Then, for each case:

- verify never dies, and never says that all is well of a store whose log isn't what it was;
- salvage gets back every event that is left whole, with the content that it had, and makes up none;
- what it makes is a sound store, and where nothing was lost, its state is that of the store before.

It also kills backups and compactions at random moments: the store is whole afterwards, and a backup is there or it isn't. And it
verifies and copies a store that is being written to.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLE = os.path.join(ROOT, "tools", "sample", "review-history.csv")
PAGE = 4096
NOW = "2026-03-02T10:00:00+01:00"
RESCUED = 0x5A1F


class Store:
    def __init__(self, program, path):
        self.program, self.path = program, path

    def run(self, *arguments, allowed=(0,), store=None):
        done = subprocess.run(
            [self.program, *arguments, "--store", store or self.path, "--json", "--now", NOW], capture_output=True, text=True)
        if done.returncode not in allowed:
            raise SystemExit(f"{arguments}: exit {done.returncode}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done

    def json(self, *arguments, **others):
        return json.loads(self.run(*arguments, **others).stdout)

    @property
    def data(self):
        return os.path.join(self.path, "data.mdb")


def build(store, folder, dice, rows):
    store.run("init")
    table = os.path.join(folder, "reviews.csv")
    with open(SAMPLE) as source, open(table, "w") as part:
        for number, line in enumerate(source):
            if number > rows:
                break
            part.write(line)
    store.run("import", table, "--zone", "UTC")
    deck = store.json("deck", "add", "By hand")["id"]
    cards = []
    for number in range(12):
        text = "".join(dice.choice("abcdefgh ") for _ in range(dice.choice([20, 300, 9000, 30000])))
        cards.append(store.json("card", "add", deck, "--front", f"{number} {text}", "--back", "b")["id"])
    events = []
    for _ in range(60):
        card = dice.choice(cards)
        events.append(store.json("review", card, dice.choice(["again", "hard", "good", "easy"]))["event"])
        chance = dice.random()
        if chance < 0.15:
            store.run("void", dice.choice(events), allowed=(0, 2))
        elif chance < 0.3:
            store.run("correct", dice.choice(events), dice.choice(["again", "easy"]), allowed=(0, 2))
        elif chance < 0.4:
            store.run("undo")
    store.run("rebuild")
    for _ in range(20):
        store.run("review", dice.choice(cards), "good")


def variable(data, offset):
    value = shift = 0
    while True:
        byte = data[offset]
        value |= (byte & 127) << shift
        offset, shift = offset + 1, shift + 7
        if byte < 128:
            return value


def places(data, known):
    """Where each event lies in a sound file, every copy of it that old pages still hold included."""
    found = collections.defaultdict(list)
    at = data.find(b"\xe7\x4e")
    while at >= 0:
        start = at - 4
        if start >= 0 and start + 50 < len(data):
            length, = struct.unpack_from("<I", data, start + 12)
            origin, = struct.unpack_from("<Q", data, start + 16)
            if 50 <= length <= len(data) - start:
                name = f"{origin:016x}/{variable(data, start + 48)}"
                if name in known:
                    found[name].append((start, length))
        at = data.find(b"\xe7\x4e", at + 1)
    return found


def content(event):
    """What an event says, whoever numbers it; what it is about may be told by the number of a copy."""
    payload = {key: value for key, value in event["payload"].items() if key != "target"}
    return json.dumps(
        [event["type"], event["version"], event["logical_time"], event["at"], event["subject"], payload], sort_keys=True)


def read_events(text):
    return [json.loads(line) for line in text.splitlines()]


def original(event):
    """The identity that an event had in the damaged store, where its key tells."""
    origin, key = event["event"].split("/")[0], event.get("key")
    if key and origin.startswith(f"{RESCUED:04x}"):
        digits = key.replace("-", "")
        if digits[16:20] == f"{RESCUED:04x}":
            return f"{digits[:16]}/{int(digits[20:], 16)}"
    return event["event"]


# The damages, each a function of the bytes and the dice.

def zero(data, pages):
    for page in pages:
        data[page * PAGE:(page + 1) * PAGE] = bytes(len(data[page * PAGE:(page + 1) * PAGE]))


def one_bit(data, dice):
    place = dice.randrange(2 * PAGE, len(data))
    data[place] ^= 1 << dice.randrange(8)


def bit_in_a_header(data, dice):
    place = dice.randrange(2, len(data) // PAGE) * PAGE + dice.randrange(48)
    data[place] ^= 1 << dice.randrange(8)


def bit_in_a_meta(data, dice):
    data[dice.randrange(2) * PAGE + 16 + dice.randrange(136)] ^= 1 << dice.randrange(8)


def page_zeroed(data, dice):
    zero(data, [dice.randrange(2, len(data) // PAGE)])


def sector_zeroed(data, dice):
    place = dice.randrange(16, len(data) // 512) * 512
    data[place:place + 512] = bytes(512)


def page_random(data, dice):
    page = dice.randrange(2, len(data) // PAGE)
    data[page * PAGE:(page + 1) * PAGE] = dice.randbytes(PAGE)


def page_misdirected(data, dice):
    one, other = (dice.randrange(2, len(data) // PAGE) for _ in range(2))
    data[one * PAGE:(one + 1) * PAGE] = data[other * PAGE:(other + 1) * PAGE]


def pages_swapped(data, dice):
    one, other = (dice.randrange(2, len(data) // PAGE) for _ in range(2))
    kept = data[one * PAGE:(one + 1) * PAGE]
    data[one * PAGE:(one + 1) * PAGE] = data[other * PAGE:(other + 1) * PAGE]
    data[other * PAGE:(other + 1) * PAGE] = kept


def cut_at_a_page(data, dice):
    del data[dice.randrange(2, len(data) // PAGE) * PAGE:]


def cut_anywhere(data, dice):
    del data[dice.randrange(PAGE, len(data)):]


def one_meta(data, dice):
    zero(data, [dice.randrange(2)])


def both_metas(data, dice):
    zero(data, [0, 1])


def metas_random(data, dice):
    data[:2 * PAGE] = dice.randbytes(2 * PAGE)


def share(part):
    def damage(data, dice):
        zero(data, dice.sample(range(len(data) // PAGE), int(len(data) // PAGE * part)))
    damage.__name__ = f"{int(part * 100)}_percent_zeroed"
    return damage


def many_bits(data, dice):
    for _ in range(200):
        one_bit(data, dice)


DAMAGES = [
    one_bit, bit_in_a_header, bit_in_a_meta, page_zeroed, sector_zeroed, page_random, page_misdirected, pages_swapped,
    cut_at_a_page, cut_anywhere, one_meta, both_metas, metas_random, share(0.05), share(0.20), share(0.6), many_bits,
]


class Damages:
    def __init__(self, store, folder):
        self.store, self.folder = store, folder
        self.events = {event["event"]: event for event in read_events(store.run("log", "export").stdout)}
        self.export = store.run("log", "export").stdout
        self.digest = store.json("replay")["digest"]
        with open(store.data, "rb") as file:
            self.data = file.read()
        self.places = places(self.data, self.events)
        missing = set(self.events) - set(self.places)
        if missing:
            raise SystemExit(f"the file of a sound store lacks {sorted(missing)[:3]}")
        self.figures = collections.defaultdict(collections.Counter)

    def left(self, data):
        """The events that are whole in the damaged file."""
        return {
            name for name, copies in self.places.items()
            if any(data[start:start + length] == self.data[start:start + length] for start, length in copies)}

    def case(self, damage, dice):
        data = bytearray(self.data)
        damage(data, dice)
        figures = self.figures[damage.__name__]
        path, rescued = os.path.join(self.folder, "damaged"), os.path.join(self.folder, "rescued")
        figures["cases"] += 1
        self.place(path, rescued, data)
        self.verify(path, figures)
        self.place(path, rescued, data)
        self.salvage(path, rescued, figures, data)

    @staticmethod
    def place(path, rescued, data):
        for old in (path, rescued):
            shutil.rmtree(old, ignore_errors=True)
        os.mkdir(path)
        with open(os.path.join(path, "data.mdb"), "wb") as file:
            file.write(data)

    def verify(self, path, figures):
        for level in ("quick", "deep"):
            done = self.store.run("verify", "--level", level, store=path, allowed=(0, 1, 3))
            if done.returncode == 1 and not json.loads(done.stdout)["findings"]:
                raise SystemExit("verify says no and finds nothing")
        figures["noticed"] += done.returncode != 0
        if done.returncode == 0 and self.store.run("log", "export", store=path).stdout != self.export:
            raise SystemExit("verify finds nothing in a store that isn't what it was")

    def salvage(self, path, rescued, figures, data):
        left = self.left(data)
        done = self.store.run("salvage", path, rescued, allowed=(0, 1, 3))
        with open(os.path.join(path, "data.mdb"), "rb") as file:
            if file.read() != data or os.listdir(path) != ["data.mdb"]:
                raise SystemExit("salvage changed what it read")
        if done.returncode == 3:
            if left:
                raise SystemExit(f"salvage gave up, and {len(left)} events are left: {done.stderr}")
            return
        report = json.loads(done.stdout)
        events = read_events(self.store.run("log", "export", store=rescued).stdout)
        there = {original(event) for event in events}
        said = collections.Counter(content(event) for event in events)
        told = {content(event) for event in self.events.values()}
        lost = [name for name in left if name not in there and not said[content(self.events[name])]]
        if lost:
            raise SystemExit(f"{len(lost)} of {len(left)} events that were whole are lost: {sorted(lost)[:3]}\n{done.stdout[:600]}")
        made_up = [event["event"] for event in events if content(event) not in told]
        if made_up:
            raise SystemExit(f"salvage made up {made_up[:3]}")
        if report["findings"]:
            raise SystemExit(f"the new store has findings: {report['findings'][:2]}")
        # Pages in wrong places leave more whole than lies where it lay.
        whole = report["digest"] == self.digest and len(there) == len(self.events)
        if len(left) == len(self.events) and (report["lost"] or not whole):
            raise SystemExit(f"nothing is gone, and that isn't what is said: {done.stdout[:600]}")
        # That nothing was lost is said only where it is proved, and is so.
        if (done.returncode == 0) != (report["lost"] == 0 and report["complete"]) or done.returncode == 0 and not whole:
            raise SystemExit(f"{len(self.events) - len(left)} events are gone, and that isn't what is said: {done.stdout[:600]}")
        figures["proved"] += done.returncode == 0
        figures["left"] += len(left)
        figures["back"] += report["events"]
        figures["whole"] += len(left) == len(self.events)


def killed(store, arguments, after):
    child = subprocess.Popen(
        [store.program, *arguments, "--store", store.path, "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        child.communicate(timeout=after)
        return False
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.communicate()
        return True


def kills(store, folder, digest, dice, rounds):
    count = 0
    backup = os.path.join(folder, "backup")
    times = {}
    for number in range(rounds):
        what = dice.choice(["compact", "backup"])
        shutil.rmtree(backup, ignore_errors=True)
        arguments = ["compact"] if what == "compact" else ["backup", backup]
        if what not in times:
            started = time.monotonic()
            store.run(*arguments)
            times[what] = time.monotonic() - started
            shutil.rmtree(backup, ignore_errors=True)
        if what == "compact":
            # Something to compact.
            store.run("rebuild")
        count += killed(store, arguments, dice.uniform(0, times[what] * 1.2))
        if store.json("verify")["ok"] is not True or store.json("replay")["digest"] != digest:
            raise SystemExit(f"round {number}: {what} was killed, and the store isn't what it was")
        if os.path.exists(backup) and store.json("replay", store=backup)["digest"] != digest:
            raise SystemExit(f"round {number}: a backup is there that isn't one")
    store.run("rebuild")
    store.run("compact")
    left = set(os.listdir(store.path)) - {"data.mdb", "lock.mdb", "engram.lock", "writer.lock", "commit.note"}
    if left:
        raise SystemExit(f"left over after the last compaction: {left}")
    print(f"{rounds} compactions and backups, {count} killed: the store is whole after each")


def busy(store, folder, rounds):
    """Verifies and copies the store while somebody writes to it all the time."""
    card = store.json("card", "list")["cards"][0]["id"]
    backup = os.path.join(folder, "hot")
    stop = threading.Event()
    written = []

    def write():
        while not stop.is_set():
            written.append(store.json("review", card, "good")["event"])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(rounds):
            store.run("verify", "--level", "pages" if number % 3 else "deep")
            shutil.rmtree(backup, ignore_errors=True)
            before = len(written)
            store.run("backup", backup, "--drill")
            there = store.run("log", "export", store=backup).stdout
            if [event for event in written[:before] if f'"{event}"' not in there]:
                raise SystemExit("a backup lacks what was acknowledged before it began")
    finally:
        stop.set()
        writer.join()
    print(f"{rounds} verifications and backups while {len(written)} actions were written: none false, none broken")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--rows", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    dice = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(os.path.abspath(options.engram), os.path.join(folder, "store"))
        build(store, folder, dice, options.rows)
        damages = Damages(store, folder)
        print(f"{len(damages.events)} events in {len(damages.data) // PAGE} pages")
        for number in range(options.cases):
            damages.case(DAMAGES[number % len(DAMAGES)], random.Random(f"{options.seed} {number}"))
        for name, figures in damages.figures.items():
            print(
                f"{name:>18}: {figures['cases']:3} cases, noticed {figures['noticed']:3}, "
                f"{figures['left']:7} events left whole, {figures['back']:7} back")
        kills(store, folder, damages.digest, dice, options.rounds)
        busy(store, folder, options.rounds)


if __name__ == "__main__":
    main()
