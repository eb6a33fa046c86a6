#!/usr/bin/env python3
"""Changes single bytes of what no digest vouches for, and holds verify, salvage and ordinary commands to their words.

    proof.py ENGRAM [--cases N] [--seed S]

- Content (packs, dictionaries) and the indexes beside the log: verify finds every changed byte; ordinary commands answer as before or
  end with exit code 3 and the command that cures it, which then does.
- The name of a database, and the numbers of commits in the meta pages: nothing is opened as if it were empty or older.
- A file that was cut: "nothing was lost" is said only of one that lost nothing.
- A log that lost its last commit together with the counter, and a table whose record leads into another one.
- A salvage while others write: a sound copy, or exit code 3.
- What a verification of a part says of the rest.
"""

import argparse
import collections
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import threading

from harness import NOW, Broken, folder, run, sample

PAGE = 4096
NO_PAGE = (1 << 64) - 1
CONTENT = ["word_sources", "word_entries", "words", "word_keys", "packs", "content"]
INDEXES = ["timelines", "actions", "records"]


class Tree:
    """Where the records of each named database lie in a sound file, and the names themselves; read from the format alone."""

    def __init__(self, data):
        self.data = data
        self.metas = [struct.unpack_from("<Q", data, page * PAGE + 144)[0] for page in (0, 1)]
        self.newest = self.metas.index(max(self.metas))
        self.records = collections.defaultdict(list)
        self.names = {}
        for name, start, length, value, size, flags in self.nodes(struct.unpack_from("<Q", data, self.newest * PAGE + 128)[0]):
            text = data[start:start + length].decode()
            self.names[text] = (start, length)
            root = struct.unpack_from("<Q", data, value + 40)[0]
            for _, key, keys, place, count, _ in self.nodes(root):
                self.records[text].append(((key, keys), (place, count)))

    def nodes(self, page):
        if page == NO_PAGE:
            return
        base = page * PAGE
        flags, lower = struct.unpack_from("<HH", self.data, base + 10)
        for offset in struct.unpack_from(f"<{(lower - 16) // 2}H", self.data, base + 16):
            low, high, node_flags, key = struct.unpack_from("<HHHH", self.data, base + offset)
            start = base + offset + 8
            if flags & 1:
                yield from self.nodes(low | high << 16 | node_flags << 32)
                continue
            value, size = start + key, low | high << 16
            if node_flags & 1:
                value = struct.unpack_from("<Q", self.data, value)[0] * PAGE + 16
            yield page, start, key, value, size, node_flags


def make_pack(path):
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE engram_pack (name TEXT); INSERT INTO engram_pack VALUES ('Capitals');
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, entry TEXT);
        CREATE TABLE questions (id INTEGER PRIMARY KEY, word_id INTEGER, prompt TEXT, level INTEGER);
        CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER);
        CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT);
        INSERT INTO test_types VALUES ('odd', 'The odd ones', 'Some', 'level = 1');
    """)
    for number in range(1, 41):
        database.execute("INSERT INTO words VALUES (?, ?, ?)", (number, f"word {number}", f"entry {number}"))
        database.execute("INSERT INTO questions VALUES (?, ?, ?, ?)", (number + 100, number, f"What is {number}?", number % 2))
        for place in range(3):
            database.execute("INSERT INTO options VALUES (?, ?, ?, ?)", (number + 100, place, f"option {place} of {number}", place == 1))
    database.commit()
    database.close()


class Scene:
    def __init__(self, program, place):
        self.program, self.place = program, place
        self.store = os.path.join(place, "store")
        self.pack, self.dictionary = os.path.join(place, "capitals.db"), os.path.join(place, "de-en.txt")
        make_pack(self.pack)
        with open(self.dictionary, "w") as file:
            file.writelines(f"Haus {number} :: house {number}\n" for number in range(40))
        self.right("init")
        self.right("import", sample(os.path.join(place, "part.csv"), 300), "--zone", "UTC")
        self.deck = self.right("deck", "add", "A deck")["id"]
        self.card = self.right("card", "add", self.deck, "--front", "one", "--back", "two")["id"]
        self.cure()
        for _ in range(12):
            self.right("review", self.card, "good")
        self.right("rebuild")
        for _ in range(3):
            self.right("review", self.card, "hard")
        # The newest commit lies at the end of the file.
        self.right("card", "add", self.deck, "--front", "the last", "--back", "text " * 9000)
        self.keep()

    def keep(self):
        with open(self.path, "rb") as file:
            self.data = file.read()
        with open(self.note_path, "rb") as file:
            self.note = file.read()
        self.export = self.right("log", "export")

    @property
    def path(self):
        return os.path.join(self.store, "data.mdb")

    @property
    def note_path(self):
        return os.path.join(self.store, "commit.note")

    def put(self, data):
        """The file becomes this, and the note beside it the one that was kept with it."""
        with open(self.path, "r+b") as file:
            file.write(data)
            file.truncate()
        self.put_note(self.note)

    def put_note(self, note):
        with open(self.note_path, "wb") as file:
            file.write(note)

    def run(self, *words, store=None):
        return run(self.program, *words, "--store", store or self.store, "--now", NOW, "--json")

    def right(self, *words, store=None):
        code, out, errors = self.run(*words, store=store)
        if code != 0:
            raise Broken(f"{' '.join(words)}: exit {code}: {errors or out}")
        return json.loads(out) if out.count("\n") == 1 else out

    def cure(self):
        self.right("pack", "install", self.pack)
        self.right("words", "import", self.dictionary, "--from", "ding", "--name", "German")

    def verify(self, *words):
        code, out, errors = self.run("verify", *words)
        if code not in (0, 1, 3):
            raise Broken(f"verify: exit {code}: {errors}")
        return code, json.loads(out) if code != 3 else {"findings": [{"kind": "exit 3", "message": errors}]}

    def asked(self, commands):
        return [self.run(*words) for words in commands]

    def hold(self, before, commands, cure):
        for words, old, new in zip(commands, before, self.asked(commands)):
            if new[0] == 3:
                if self.store not in new[2] or not any(text in new[2] for text in cure):
                    raise Broken(f"{' '.join(words)}: exit 3 without a cure: {new[2]}")
            elif (new[0], new[1]) != (old[0], old[1]):
                raise Broken(f"{' '.join(words)}: another answer than before, and no error: {new[:2]} for {old[:2]}")


def changes(tree, databases, dice, count):
    """So many changed bytes in the records of the databases: place by place, keys and values alike, each database in turn."""
    for number in range(count):
        name = databases[number % len(databases)]
        if not tree.records[name]:
            continue
        (key, keys), (value, size) = dice.choice(tree.records[name])
        place = key + dice.randrange(keys) if size == 0 or dice.random() < 0.25 else value + dice.randrange(size)
        yield name, place, 1 << dice.randrange(8)


def changed(data, place, mask):
    data = bytearray(data)
    data[place] ^= mask
    return data


def content(scene, dice, cases):
    commands = [("words", "haus"), ("words", "w"), ("quiz", "types"), ("pack", "list"), ("favourite", "list"), ("due",), ("stats",)]
    before = scene.asked(commands)
    tree = Tree(scene.data)
    found = cured = 0
    for number, (name, place, mask) in enumerate(changes(tree, CONTENT, dice, cases)):
        scene.put(changed(scene.data, place, mask))
        label = f"content: {name}, byte {place}, mask {mask:#x}"
        code, report = scene.verify("--level", "log")
        # By which rules keys were made is no content: where it differs, they are made again.
        if code == 0 and b"rules" not in scene.data[place - 64:place + 8]:
            raise Broken(f"{label}: verify finds nothing")
        found += code != 0
        try:
            if name == "packs" or name == "word_sources":
                scene.hold(before[:2] + before[5:], commands[:2] + commands[5:], ["pack install", "verify"])
            else:
                scene.hold(before, commands, ["pack install", "verify"])
            # A test that is drawn shows what was installed, or isn't drawn.
            code, out, errors = scene.run("quiz", "start", "all", "--count", "40", "--seed", "1")
            if code == 0:
                shown = {(question["prompt"], *sorted(question["options"])) for question in questions(json.loads(out))}
                allowed = {(f"What is {n}?", *sorted(f"option {p} of {n}" for p in range(3))) for n in range(1, 41)}
                if not shown <= allowed:
                    raise Broken(f"a test shows what no pack holds: {shown - allowed}")
            elif code not in (1, 2, 3):
                raise Broken(f"quiz start: exit {code}: {errors}")
            if number % 3 == 0 and not any(finding["kind"].startswith("bad_") for finding in report["findings"]):
                scene.put(changed(scene.data, place, mask))
                scene.cure()
                code, report = scene.verify()
                if code != 0:
                    raise Broken(f"installed again, verify says: {report['findings'][:2]}")
                scene.hold(before[:2], commands[:2], [])
                cured += 1
        except Broken as broken:
            raise Broken(f"{label}: {broken}") from None
    scene.put(scene.data)
    print(f"{cases} changed bytes of content: {found} found by verify, {cured} cured by installing again, no other answer than before")


def questions(quiz):
    return quiz.get("questions", [quiz] if "prompt" in quiz else [])


def indexes(scene, dice, cases):
    commands = [("timeline", scene.card), ("due",), ("stats",), ("card", "list"), ("log", "--since", "5")]
    before = scene.asked(commands)
    tree = Tree(scene.data)
    found = cured = 0
    for number, (name, place, mask) in enumerate(changes(tree, INDEXES, dice, cases)):
        scene.put(changed(scene.data, place, mask))
        label = f"index: {name}, byte {place}, mask {mask:#x}"
        code, report = scene.verify("--level", "log")
        if code == 0:
            raise Broken(f"{label}: verify finds nothing")
        found += 1
        try:
            scene.hold(before, commands, ["rebuild", "verify"])
            if name != "records" and not any(finding["kind"].startswith("bad_") for finding in report["findings"]):
                scene.right("rebuild")
                code, report = scene.verify()
                if code != 0:
                    raise Broken(f"rebuilt, verify says: {report['findings'][:2]}")
                scene.hold(before, commands, [])
                cured += 1
        except Broken as broken:
            raise Broken(f"{label}: {broken}") from None
    scene.put(scene.data)
    print(f"{cases} changed bytes of indexes: {found} found, {cured} cured by rebuild")


def names(scene):
    tree = Tree(scene.data)
    for name, (start, length) in sorted(tree.names.items()):
        for place in (start, start + length - 1):
            data = changed(scene.data, place, 1)
            scene.put(data)
            for words in (("due",), ("words", "haus"), ("review", scene.card, "good"), ("pack", "list")):
                code, out, errors = scene.run(*words)
                if code != 3:
                    raise Broken(f"name of {name}, byte {place - start}: {' '.join(words)}: exit {code}: {out}")
            with open(scene.path, "rb") as file:
                if file.read() != data:
                    raise Broken(f"name of {name}, byte {place - start}: the file was written to")
            if scene.verify("--level", "pages")[0] == 0:
                raise Broken(f"name of {name}, byte {place - start}: verify finds nothing")
    scene.put(scene.data)
    print(f"{2 * len(tree.names)} changed names of databases: nothing was opened, nothing made in their place")


def numbers(scene):
    """Every bit of the numbers of commits in both meta pages."""
    for page in (0, 1):
        for bit in range(64):
            scene.put(changed(scene.data, page * PAGE + 144 + bit // 8, 1 << bit % 8))
            code, report = scene.verify()
            if code == 0:
                raise Broken(f"number of meta page {page}, bit {bit}: verify finds nothing")
            code, out, _ = scene.run("log", "export")
            if code == 0 and out != scene.export:
                raise Broken(f"number of meta page {page}, bit {bit}: the log is another, and no error")
    scene.put(scene.data)
    print("128 changed numbers of commits: each found, none opened as an older state")


def lists(scene):
    """The list of what the newest commit freed bears another number: the note tells that from a meta page of another commit."""
    tree = Tree(scene.data)
    number = tree.metas[tree.newest]
    root, = struct.unpack_from("<Q", scene.data, tree.newest * PAGE + 80)
    place = next(start for _, start, *_ in tree.nodes(root) if struct.unpack_from("<Q", scene.data, start)[0] == number)
    for other in (0, 1, number - 1):
        for has_note in (True, False):
            scene.put(scene.data[:place] + struct.pack("<Q", other) + scene.data[place + 8:])
            if not has_note:
                os.unlink(scene.note_path)
            label = f"the newest list is of commit {other}, {'with' if has_note else 'without'} the note"
            code, out, errors = scene.run("log", "export")
            if (code, out) != (0, scene.export) and (has_note or code != 3 or "engram verify" not in errors):
                raise Broken(f"{label}: exit {code}: {errors}")
            if has_note:
                if scene.verify()[0] == 0:
                    raise Broken(f"{label}: verify finds nothing")
                scene.right("rebuild")
                if scene.verify()[0] != 0:
                    raise Broken(f"{label}: rebuild doesn't cure it")
    scene.put(scene.data)
    print("6 lists of another commit: read and cured where the note tells, else refused")


def cuts(scene, place):
    said = 0
    target = os.path.join(place, "rescued")
    for pages in range(1, 21):
        cut = os.path.join(place, "cut.mdb")
        with open(cut, "wb") as file:
            file.write(scene.data[:len(scene.data) - pages * PAGE])
        shutil.rmtree(target, ignore_errors=True)
        code, out, errors = run(scene.program, "salvage", cut, target, "--json", "--now", NOW)
        if code == 3:
            continue
        whole = scene.right("log", "export", store=target) == scene.export
        report = json.loads(out)
        if code == 0 and not whole:
            raise Broken(f"cut by {pages} pages: nothing was lost, it says, and something was")
        if (code == 0) != (report["lost"] == 0 and report["complete"]):
            raise Broken(f"cut by {pages} pages: exit {code}, and it says {out}")
        said += code == 0
    shutil.rmtree(target, ignore_errors=True)
    code, out, errors = run(scene.program, "salvage", scene.store, target, "--json", "--now", NOW)
    report = json.loads(out)
    if scene.right("words", "haus 1", store=target) != scene.right("words", "haus 1"):
        raise Broken("a salvage of a sound store doesn't carry over the dictionary")
    if code != 0 or report["missing_content"] or not report["complete"] or report["lost"] or scene.right("log", "export", store=target) != scene.export:
        raise Broken(f"a salvage of a sound store: exit {code}: {out}{errors}")
    shutil.rmtree(target)
    # A pack that is damaged is named, and nothing of it is carried over.
    (_, (value, size)) = Tree(scene.data).records["content"][3]
    scene.put(changed(scene.data, value + size // 2, 4))
    code, out, errors = run(scene.program, "salvage", scene.store, target, "--json", "--now", NOW)
    report = json.loads(out)
    if code != 1 or len(report["missing_content"]) != 1 or "Capitals" not in report["missing_content"][0] or report["lost"]:
        raise Broken(f"a salvage of a store with a damaged pack: exit {code}: {out}")
    scene.right("pack", "install", scene.pack, store=target)
    scene.right("verify", store=target)
    scene.put(scene.data)
    shutil.rmtree(target)
    print(f"20 files cut by 1 to 20 pages: of {said} it is said that nothing was lost, and it wasn't")


def salvaged(scene, target):
    """Exit code, report and log of a salvage of the store."""
    shutil.rmtree(target, ignore_errors=True)
    code, out, errors = run(scene.program, "salvage", scene.store, target, "--json", "--now", NOW)
    if code not in (0, 1):
        raise Broken(f"salvage: exit {code}: {errors}")
    return code, json.loads(out), scene.right("log", "export", store=target)


def tree_record(data, name):
    """Where the record of a named database lies in the newest main tree, which is one leaf."""
    tree = Tree(data)
    return tree.names[name][0] + len(name)


def lasts(scene, place):
    """The last entry of a tree is dropped, and its counter lowered: the tree is whole by itself."""
    target = os.path.join(place, "lasts")
    record = tree_record(scene.data, "commits")
    root, = struct.unpack_from("<Q", scene.data, record + 40)
    while struct.unpack_from("<H", scene.data, root * PAGE + 10)[0] & 1:
        lower, = struct.unpack_from("<H", scene.data, root * PAGE + 12)
        last, = struct.unpack_from("<H", scene.data, root * PAGE + lower - 2)
        low, high, flags = struct.unpack_from("<HHH", scene.data, root * PAGE + last)
        root = low | high << 16 | flags << 32
    for dropped in (1, 2):
        for is_noted in (True, False):
            data = bytearray(scene.data)
            lower, = struct.unpack_from("<H", data, root * PAGE + 12)
            entries, = struct.unpack_from("<Q", data, record + 32)
            struct.pack_into("<H", data, root * PAGE + 12, lower - 2 * dropped)
            struct.pack_into("<Q", data, record + 32, entries - dropped)
            scene.put(data)
            if not is_noted:
                os.unlink(scene.note_path)
            code, report, export = salvaged(scene, target)
            if code != 1 or report["complete"]:
                raise Broken(f"{dropped} last commits are dropped, and salvage says that nothing was lost: exit {code}: {report}")
            if export != scene.export:
                raise Broken(f"{dropped} last commits are dropped, lie whole in the file, and aren't carried over: {report}")
    # The newest pages are another state's, which is whole: only the note knows.
    scene.put(scene.data)
    scene.right("review", scene.card, "good")
    with open(scene.note_path, "rb") as file:
        later = file.read()
    scene.put(scene.data)
    scene.put_note(later)
    if later != scene.note and salvaged(scene, target)[0] != 1:
        raise Broken("the note is of a later commit than the file, and salvage says that nothing was lost")
    scene.put_note(scene.note)
    code, report, export = salvaged(scene, target)
    if code != 0 or export != scene.export:
        raise Broken(f"a salvage of a sound store: exit {code}: {report}")
    # A record that leads into another table.
    to = tree_record(scene.data, "held_aside")
    for name in sorted(Tree(scene.data).names):
        start = tree_record(scene.data, name)
        data = bytearray(scene.data)
        data[to:to + 48] = data[start:start + 48]
        scene.put(data)
        code, report, export = salvaged(scene, target)
        if export != scene.export:
            raise Broken(f"the table of what is held aside leads into {name}, and a salvage has {len(export)} bytes of log for {len(scene.export)}")
        if name != "held_aside" and struct.unpack_from("<Q", scene.data, start + 40)[0] != NO_PAGE and code != 1:
            raise Broken(f"the table of what is held aside leads into {name}, and salvage says that nothing was lost")
    scene.put(scene.data)
    shutil.rmtree(target)
    print("4 logs without their last commits: none is called complete, none is lost; nothing foreign is taken for held aside")


def busy(scene, place, rounds):
    """Salvages a store that is written to all the time."""
    target = os.path.join(place, "hot")
    stop = threading.Event()
    written, failures = [], []

    def write():
        while not stop.is_set():
            code, out, errors = scene.run("review", scene.card, "good")
            if code != 0:
                return failures.append(errors)
            written.append(json.loads(out)["event"])

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        for number in range(rounds):
            shutil.rmtree(target, ignore_errors=True)
            before = len(written)
            code, out, errors = run(scene.program, "salvage", scene.store, target, "--json", "--now", NOW)
            if code == 3:
                if "write" not in errors and "open elsewhere" not in errors:
                    raise Broken(f"a salvage beside writers: {errors}")
                continue
            report = json.loads(out)
            if report["lost"] or not report["complete"]:
                raise Broken(f"a salvage beside writers says that something was lost: {out}")
            there = scene.right("log", "export", store=target)
            if [event for event in written[:before] if f'"{event}"' not in there]:
                raise Broken("a salvage beside writers lacks what was acknowledged before it began")
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    if failures:
        raise Broken(f"a writer beside a salvage: {failures[0]}")
    scene.keep()
    print(f"{rounds} salvages while {len(written)} actions were written: none lacks any")


def parts(scene):
    total = scene.right("verify", "--level", "log")["checked"]["commits"]
    for share in ("0.0001%", "1", "3%", "100%"):
        for _ in range(4):
            report = scene.right("verify", "--sample", share, "--level", "log")
            proved = report["checked"]["commits"]
            if not 1 <= proved <= total or report["part"] and report["part"]["proved"] != proved:
                raise Broken(f"verify --sample {share}: {report}")
    for since, count in ((0, None), (total, 0), (total + 1, 0), (2**31, 0), (2**63 - 1, 0)):
        code, out, errors = scene.run("log", "--since", str(since))
        if code != 0 or count == 0 and out:
            raise Broken(f"log --since {since}: exit {code}: {errors or out[:200]}")
    for since in ("-1", str(2**64), "x"):
        if scene.run("log", "--since", since)[0] != 2:
            raise Broken(f"log --since {since} isn't refused")
    # A file that says that all was proved, of numbers that are the log's and of others.
    progress = os.path.join(scene.store, "verified")
    scene.right("verify", "--level", "log", "--max-time", "10")
    with open(progress, "rb") as file:
        kept = file.read()
    for place in range(len(kept)):
        with open(progress, "wb") as file:
            file.write(changed(kept, place, 1))
        report = scene.right("verify", "--level", "log", "--max-time", "10")
        if report["part"] and report["part"]["first"] != 1:
            raise Broken(f"byte {place} of the file of progress was changed, and it is believed")
    os.unlink(progress)
    print(f"samples, ends of the log and {len(kept)} files of progress that lie: each right")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    dice = random.Random(options.seed)
    broken = 0
    with folder() as place:
        scene = Scene(options.engram, place)
        steps = {
            "content": lambda: content(scene, dice, options.cases), "indexes": lambda: indexes(scene, dice, options.cases),
            "names": lambda: names(scene), "numbers": lambda: numbers(scene), "lists": lambda: lists(scene),
            "cuts": lambda: cuts(scene, place), "lasts": lambda: lasts(scene, place),
            "parts": lambda: parts(scene), "busy": lambda: busy(scene, place, options.rounds)}
        for name, step in steps.items():
            if options.only and name not in options.only:
                continue
            try:
                step()
            except Broken as error:
                broken += 1
                print(f"{name}: {error}", flush=True)
                scene.put(scene.data)
    print(f"{broken} promises broken")
    sys.exit(1 if broken else 0)


main()
