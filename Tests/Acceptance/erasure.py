#!/usr/bin/env python3
"""Erases a text after every way in which it can come in, runs every operation that there is, and looks for its bytes in every file.

    erasure.py ENGRAM [--kills N] [--long] [--only PART...] [--seed S]

The text is made of letters that stand nowhere else. After it was erased no piece of eleven characters of it may be found in any file of
any store, nor in anything that the program wrote beside them: as it is, in lower and upper case, composed and decomposed, without its
marks, in UTF-8 and UTF-16. What the test itself wrote (lists to import, copies of before) lies in a folder of its own, which
isn't looked at.
"""

import argparse
import contextlib
import fcntl
import io
import itertools
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unicodedata
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from harness import Broken, commands  # noqa: E402
from operations import make_pack  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
UNMARKED = os.path.join(HERE, "Stores", "unmarked", "data.mdb")
FIRST_FORMAT = os.path.join(HERE, "..", "CompatibilityTests", "Stores", "format-1", "data.mdb")
FRONT = "Qwÿxvözkjüfpbq ßvÄkzwqj"
BACK = "Zxéqvjwkÿgüpzx Ñqwvkjzx"
#: Whatever has nearly twice as many characters of the text holds one of the pieces that are looked for.
PIECE = 6


def pieces(*texts):
    """Pieces of `texts`, one behind the other, in every form in which somebody might keep one."""
    found = set()
    for text in texts:
        forms = {text}
        for change in (str.lower, str.upper, str.casefold):
            forms.add(change(text))
        for form in list(forms):
            for normal in ("NFC", "NFD", "NFKC", "NFKD"):
                forms.add(unicodedata.normalize(normal, form))
        for form in list(forms):
            forms.add("".join(c for c in unicodedata.normalize("NFD", form) if not unicodedata.combining(c)))
        for form in forms:
            for start in range(0, max(1, len(form) - PIECE + 1), PIECE):
                piece = form[start:start + PIECE]
                for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                    found.add(piece.encode(encoding))
                found.add(json.dumps(piece)[1:-1].encode())
    return sorted(found)


SECRET = pieces(FRONT, BACK)


def contents(path):
    """What a file holds, and what an archive's members hold."""
    with open(path, "rb") as file:
        data = file.read()
    yield path, data
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                member = archive.read(name)
                if member[:4] == b"\x28\xb5\x2f\xfd":
                    member = subprocess.run(["zstd", "-dcq"], input=member, capture_output=True, check=True).stdout
                yield f"{path}: {name}", member


#: Files in which nothing was found, as they were then.
CLEAN = set()


def traces(*folders, needles=None):
    """In which files a piece of the text lies."""
    needles = needles or SECRET
    found = []
    for folder in folders:
        paths = [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names]
        for path in paths if os.path.isdir(folder) else [folder]:
            if os.path.islink(path):
                continue
            status = os.stat(path)
            state = (path, status.st_ino, status.st_mtime_ns, status.st_size, needles[0], len(needles))
            if state in CLEAN:
                continue
            before = len(found)
            for name, data in contents(path):
                piece = next((needle for needle in needles if needle in data), None)
                if piece is not None:
                    found.append(f"{name} holds {piece!r}")
            if len(found) == before:
                CLEAN.add(state)
    return found


class Bench:
    """A folder with stores that are looked at, and one with what the test itself wrote."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.inputs = os.path.join(folder, "inputs")
        self.stores = os.path.join(folder, "stores")
        self.scratch = os.path.join(folder, "tmp")
        self.checks = 0
        self.minute = 0
        self.clear()

    def clear(self):
        for path in (self.inputs, self.stores, self.scratch):
            shutil.rmtree(path, ignore_errors=True)
            os.mkdir(path)

    def path(self, name):
        return os.path.join(self.stores, name)

    def input(self, name, text=None):
        path = os.path.join(self.inputs, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def run(self, store, *words, allowed=(0,), stdin=None):
        self.minute += 1
        now = f"2026-03-{2 + self.minute // 1440:02}T{self.minute // 60 % 24:02}:{self.minute % 60:02}:00+00:00"
        done = subprocess.run(
            [self.program, *words, "--store", self.path(store), "--now", now, "--json"], capture_output=True, text=True,
            input=stdin if stdin is not None else "", env=dict(os.environ, TMPDIR=self.scratch), timeout=120)
        if allowed and done.returncode not in allowed:
            raise Broken(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[:1500]}\n{done.stderr[:1500]}")
        return done

    def json(self, store, *words, **others):
        return json.loads(self.run(store, *words, **others).stdout)

    def cards(self, store):
        found = self.json(store, "card", "list")
        return found if isinstance(found, list) else found["cards"]

    def secret_card(self, store):
        found = [card["id"] for card in self.cards(store) if FRONT in card["front"] or BACK in card["back"]]
        if len(found) != 1:
            raise Broken(f"{len(found)} cards have the text")
        return found[0]

    def clean(self, what, *folders, needles=None):
        """Nothing of the text lies in the stores, or in the folders that are named."""
        self.checks += 1
        found = traces(*(folders or (self.stores, self.scratch)), needles=needles)
        if found:
            raise Broken(f"after {what}: " + "; ".join(found))

    def sound(self, store, remark=None):
        report = self.json(store, "verify", "--level", "deep")
        if report["findings"]:
            raise Broken(f"{store}: {report['findings']}")

    def erase(self, store, card):
        report = self.json(store, "erase", card)
        if not report["erased"] or not report["cleared"] or report["left"]:
            raise Broken(f"erase: {report}")

    def begin(self, store, cards=25):
        """A store with other cards, reviews, a checkpoint and pages that nothing uses."""
        self.run(store, "init")
        deck = self.json(store, "deck", "add", "Others")["id"]
        rows = "".join(f"other {number}\tback of {number} {'x' * 300}\n" for number in range(cards))
        self.run(store, "card", "add", deck, "--stdin", stdin=rows)
        for card in self.cards(store)[:4]:
            self.run(store, "review", card["id"], "good")
        self.run(store, "rebuild")
        return deck


# MARK: Ways in. Each returns a function that tries to bring the text in again.

def by_hand(bench, store, deck):
    bench.run(store, "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")
    return lambda: None


def by_edit(bench, store, deck):
    card = bench.json(store, "card", "add", deck, "--front", "harmless", "--back", "harmless")["id"]
    bench.run(store, "card", "edit", card, f"--front={FRONT}")
    bench.run(store, "card", "edit", card, f"--back={BACK}")
    bench.run(store, "card", "edit", card, f"--front={FRONT}, again", f"--back={BACK}, again")
    return lambda: bench.run(store, "card", "edit", card, f"--front={FRONT}", allowed=(1, 2))


def by_standard_input(bench, store, deck):
    rows = f"{FRONT}\t{BACK}\nanother\tcard\n"
    bench.run(store, "card", "add", deck, "--stdin", stdin=rows)
    return lambda: bench.run(store, "card", "add", deck, "--stdin", stdin=rows)


def by_update_on_standard_input(bench, store, deck):
    bench.run(store, "card", "add", deck, "--stdin", stdin=f"harmless\tharmless\nanother\tcard\n")
    rows = f"harmless\t{BACK}\nanother\tone\n"
    bench.run(store, "card", "add", deck, "--stdin", stdin=rows)
    return lambda: bench.run(store, "card", "add", deck, "--stdin", stdin=rows)


def by_list(bench, store, deck, text=f'front,back\n"{FRONT}","{BACK}"\nanother,card\n', name="list.csv"):
    path = bench.input(name, text)
    bench.run(store, "import", path)
    return lambda: bench.run(store, "import", path)


def by_tabs(bench, store, deck):
    return by_list(bench, store, deck, f"{FRONT}\t{BACK}\nanother\tcard\n", "list.tsv")


def by_anki_text(bench, store, deck):
    text = f"#separator:tab\n#html:true\n#guid column:1\n#columns:guid\tfront\tback\nabcdefgh\t{FRONT}\t<b>{BACK}</b>\nijklmnop\ta\tb\n"
    return by_list(bench, store, deck, text, "notes.txt")


def by_package(bench, store, deck):
    """A package that another store of the same text wrote."""
    folder, bench.stores = bench.stores, bench.inputs
    bench.begin("source", 3)
    bench.run("source", "card", "add", "Others", f"--front={FRONT}", f"--back={BACK}")
    bench.run("source", "export", "apkg", bench.input("cards.apkg"))
    bench.run("source", "export", "csv", bench.input("cards.csv"))
    bench.stores = folder
    bench.run(store, "import", bench.input("cards.apkg"))
    return lambda: bench.run(store, "import", bench.input("cards.apkg"))


def by_exported_table(bench, store, deck):
    folder, bench.stores = bench.stores, bench.inputs
    bench.begin("source", 3)
    bench.run("source", "card", "add", "Others", f"--front={FRONT}", f"--back={BACK}")
    bench.run("source", "export", "csv", bench.input("cards.csv"))
    bench.stores = folder
    bench.run(store, "import", bench.input("cards.csv"))
    return lambda: bench.run(store, "import", bench.input("cards.csv"))


def other_device(bench):
    folder, bench.stores = bench.stores, bench.inputs
    bench.begin("source", 3)
    bench.run("source", "card", "add", "Others", f"--front={FRONT}", f"--back={BACK}")
    lines = bench.run("source", "log", "export").stdout
    bench.stores = folder
    return bench.input("lines.ndjson", lines)


def by_merge(bench, store, deck):
    other_device(bench)
    bench.run(store, "merge", bench.input("source"))
    return lambda: bench.run(store, "merge", bench.input("source"))


def by_log_import(bench, store, deck):
    lines = other_device(bench)
    bench.run(store, "log", "import", lines)
    return lambda: bench.run(store, "log", "import", lines)


def by_salvage(bench, store, deck):
    """Rescued out of a store that lost what came before it."""
    source = other_device(bench) and bench.input("source")
    data = os.path.join(source, "data.mdb")
    with open(data, "r+b") as file:
        bytes = file.read()
        place = bytes.rfind(b"other 1")
        file.seek(max(0, bytes.find(b"other 0") - 20))
        file.write(b"\0" * 40)
        file.seek(0)
        file.write(b"\0" * 8192)
        assert place > 0
    shutil.rmtree(bench.path(store))
    bench.run(store, "salvage", source, bench.path(store), allowed=(0, 1))
    return lambda: bench.run("again", "salvage", bench.path(store), bench.path("again"), "--with", source, allowed=(0, 1))


WAYS = [
    by_hand, by_edit, by_standard_input, by_update_on_standard_input, by_list, by_tabs, by_anki_text, by_package, by_exported_table, by_merge,
    by_log_import, by_salvage,
]


# MARK: Operations

def operations(bench, store):
    """Everything that can be done with a store, as (what, function)."""
    def others():
        return [card for card in bench.cards(store) if card["front"] and FRONT not in card["front"]]

    def run(*words, allowed=(0,), **more):
        return lambda: bench.run(store, *words, allowed=allowed, **more)

    def undo_all():
        for _ in range(4):
            bench.run(store, "undo", allowed=(0, 1, 2))

    def void_all():
        for line in bench.run(store, "log").stdout.splitlines():
            event = json.loads(line)
            if event["type"] in ("card_created", "card_edited", "card_erased", "history_imported"):
                bench.run(store, "void", event["event"], allowed=(0, 1, 2))

    def quiz():
        bench.run(store, "pack", "install", make_pack(bench.input("pack.sqlite")) if not os.path.exists(bench.input("pack.sqlite"))
                  else bench.input("pack.sqlite"))
        bench.run(store, "quiz", "start", "easy", allowed=(0, 1, 2))
        bench.run(store, "quiz", "abandon", allowed=(0, 1, 2))

    def correct():
        event = bench.json(store, "review", others()[0]["id"], "again")["event"]
        bench.run(store, "correct", event, "easy")

    def to_a_fresh(name, *words):
        bench.run(name, "init")
        bench.run(name, *words)

    def lines():
        with open(bench.path("lines.ndjson"), "w") as file:
            file.write(bench.run(store, "log", "export").stdout)
        to_a_fresh("of lines", "log", "import", bench.path("lines.ndjson"))

    return [
        ("verify", lambda: bench.sound(store)), ("stats", run("stats")), ("due", run("due")), ("replay", run("replay")), ("log", lines),
        ("rebuild", run("rebuild")), ("correct", correct), ("backup", run("backup", bench.path("copy"))),
        ("drill", run("backup", bench.path("drilled"), "--ndjson", "--drill")), ("merge", lambda: to_a_fresh("of merge", "merge", bench.path(store))),
        ("merge back", run("merge", bench.path("copy"))), ("compact", run("compact")), ("quiz", quiz),
        ("csv", run("export", "csv", bench.path("cards.csv"))), ("tsv", run("export", "tsv", bench.path("cards.tsv"))),
        ("apkg", run("export", "apkg", bench.path("cards.apkg"))), ("salvage", run("salvage", bench.path(store), bench.path("salvaged"), allowed=(0, 1))),
        ("practise", lambda: bench.run(store, "practise", others()[0]["id"], "good")), ("undo", undo_all), ("void", void_all),
        ("undo again", undo_all), ("restart", run("study", allowed=None)), ("import of exports", run("import", bench.path("cards.csv"))),
        ("words", run("words", "import", bench.input("words.tsv", "casa\thouse\n"), allowed=None)), ("verify after all", lambda: bench.sound(store)),
    ]


#: What is done in the short form after a way that goes where others go too.
SHORT = ("log", "rebuild", "backup", "merge", "merge back", "compact", "csv", "salvage", "undo", "void", "import of exports", "verify after all")


def ways_and_operations(bench, is_long):
    for way in WAYS:
        bench.clear()
        try:
            deck = bench.begin("store")
            again = way(bench, "store", deck)
            card = bench.secret_card("store")
            if not traces(bench.stores):
                raise Broken("the text isn't where the test looks for it")
            bench.erase("store", card)
            bench.clean("erase")
            bench.sound("store")
            for what, operation in operations(bench, "store"):
                if is_long or what in SHORT or way in (by_hand, by_standard_input, by_merge):
                    operation()
                    bench.clean(what)
            again()
            bench.clean("the same again")
            if bench.json("store", "card", "show", card, allowed=(0, 1)).get("front"):
                raise Broken("the text is back")
        except Broken as error:
            raise Broken(f"{way.__name__}: {error}") from None


def unmarked(bench):
    """Lists that an earlier program wrote without marks: on one device, on two by themselves, and across merges."""
    needles = pieces("Zephyrine quagmire front", "Zephyrine quagmire back", "Zephyrine quagmire another back", "Zephyrine quagmire edited")
    bench.clear()
    for name in ("one", "two", "three"):
        os.mkdir(bench.path(name))
        shutil.copy(UNMARKED, bench.path(name))
    card = next(card["id"] for card in bench.cards("one") if card["front"].startswith("Zephyrine"))
    for name in ("one", "two"):
        bench.run(name, "erase", card)
        bench.clean("erase", bench.path(name), needles=needles)
        bench.sound(name)
    exported = [
        [line.partition('"event"')[2] for line in bench.run(name, "log", "export").stdout.splitlines() if "ad612127690badd0/" in line]
        for name in ("one", "two")
    ]
    if exported[0] != exported[1] or not any('"withdrawn"' in line for line in exported[0]):
        raise Broken("two devices that erased the same thing have different commits")
    report = bench.json("one", "verify")
    if "recorded digest" not in json.dumps(report["remarks"]):
        raise Broken(f"verify says nothing of commits that stand by their recorded digest: {report}")
    for source, target in (("one", "two"), ("two", "one"), ("one", "three"), ("two", "three"), ("three", "one"), ("three", "two")):
        bench.run(target, "merge", bench.path(source))
    for name in ("one", "two", "three"):
        bench.clean("merge", bench.path(name), needles=needles)
        bench.sound(name)
    if len({bench.json(name, "replay")["digest"] for name in ("one", "two", "three")}) != 1:
        raise Broken("devices differ after all merged")
    for what, operation in operations(bench, "one"):
        operation()
        bench.clean(what, needles=needles)
    bench.run("lines", "init")
    bench.run("lines", "log", "import", bench.path("lines.ndjson"))
    bench.run("lines", "erase", bench.cards("lines")[0]["id"])
    bench.run("lines", "merge", bench.path("one"))
    bench.sound("lines")
    bench.clean("log import", needles=needles)


def three_devices(bench, dice, rounds):
    """The text on three devices, edited apart on one and erased on another, merged in all orders."""
    names = ("one", "two", "three")
    pairs = [(source, target) for source in names for target in names if source != target]
    orders = list(itertools.permutations(pairs, 6))
    for order in dice.sample(orders, rounds):
        bench.clear()
        bench.begin("one", 3)
        card = bench.json("one", "card", "add", "Others", f"--front={FRONT}", f"--back={BACK}")["id"]
        for name in names[1:]:
            bench.run(name, "init")
            bench.run(name, "merge", bench.path("one"))
        bench.run("three", "card", "edit", card, f"--front={FRONT} edited apart")
        bench.run("two", "card", "edit", card, f"--back={BACK} edited before")
        eraser = dice.choice(names)
        bench.erase(eraser, card)
        for source, target in order + tuple(pairs):
            report = bench.json(target, "merge", bench.path(source))
            if '"card_erased"' in bench.run(target, "log").stdout:
                bench.clean(f"merging {source} into {target} of {order}, erased on {eraser}", bench.path(target))
                if not report["erased"]["cleared"]:
                    raise Broken(f"a merge left texts: {report}")
            bench.sound(target)
        bench.clean(f"merging in the order {order}")
        if len({bench.json(name, "replay")["digest"] for name in names}) != 1:
            raise Broken(f"devices differ after merging in the order {order}")


@contextlib.contextmanager
def held_open(bench, store):
    """As long as another process has the store open."""
    file = os.open(os.path.join(bench.path(store), "engram.lock"), os.O_RDONLY)
    fcntl.flock(file, fcntl.LOCK_SH)
    try:
        yield
    finally:
        os.close(file)


def open_elsewhere(bench):
    """Where the store is open elsewhere it is said, found by verify, and done by the next write of whoever is alone."""
    writes = [("review", lambda card: ["review", card, "good"]), ("rebuild", lambda card: ["rebuild"]), ("compact", lambda card: ["compact"]),
              ("deck add", lambda card: ["deck", "add", "New"]), ("favourite", lambda card: ["favourite", "add", card])]
    for how in ("erase", "merge"):
        for what, words in writes:
            bench.clear()
            deck = bench.begin("store", 5)
            other = bench.cards("store")[0]["id"]
            card = bench.json("store", "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")["id"]
            bench.run("other", "init")
            bench.run("other", "merge", bench.path("store"))
            if how == "merge":
                bench.erase("other", card)
            with held_open(bench, "store"):
                done = bench.run("store", *(["erase", card] if how == "erase" else ["merge", bench.path("other")]), allowed=None)
                if done.returncode != (1 if how == "erase" else 0):
                    raise Broken(f"{how} of a store that is open elsewhere: exit {done.returncode}: {done.stderr}")
                document = json.loads(done.stdout)
                if (document if how == "erase" else document["erased"])["cleared"]:
                    raise Broken(f"{how} says that a store which is open elsewhere was cleared")
                bench.run("store", "review", other, "good")
                report = json.loads(bench.run("store", "verify", allowed=(1,)).stdout)
                if [finding["kind"] for finding in report["findings"]] != ["texts_not_cleared"]:
                    raise Broken(f"verify of a store that isn't cleared: {report['findings']}")
                bench.run("store", "backup", bench.path("copy"))
                bench.clean("a backup meanwhile", bench.path("copy"))
                bench.sound("copy")
            bench.run("store", *words(other), allowed=(0,) if what != "favourite" else None)
            bench.sound("store")
            bench.clean(f"{how}, then {what}", bench.path("store"))


def salvaging(bench):
    """A damaged store that was erased, or that wasn't and has helpers that were."""
    bench.clear()
    deck = bench.begin("store", 8)
    card = bench.json("store", "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")["id"]
    bench.run("store", "card", "edit", card, f"--front={FRONT} edited")
    before = bench.input("before")
    bench.run("store", "backup", before)
    with held_open(bench, "store"):
        bench.run("store", "erase", card, allowed=(1,))
    # The erased form and the old one both lie in this file.
    shutil.copytree(bench.path("store"), bench.input("both"))
    bench.run("store", "review", bench.cards("store")[0]["id"], "good")
    after = bench.path("store")
    headless = bench.input("headless")
    shutil.copytree(bench.input("both"), headless)
    with open(os.path.join(headless, "data.mdb"), "r+b") as file:
        file.write(b"\0" * 8192)
    torn = bench.input("torn")
    shutil.copytree(headless, torn)
    with open(os.path.join(torn, "data.mdb"), "r+b") as file:
        data = file.read()
        place = data.find(b"other 2")
        while place >= 0:
            file.seek(place)
            file.write(b"\xff" * 7)
            place = data.find(b"other 2", place + 1)
    cases = [
        (after, before), (before, after), (bench.input("both"),), (headless,), (headless, before), (torn,), (torn, before), (before, headless),
        (before, torn),
    ]
    for number, (source, *helpers) in enumerate(cases):
        target = bench.path(f"saved {number}")
        bench.run("saved", "salvage", source, target, *[word for helper in helpers for word in ("--with", helper)], allowed=(0, 1))
        bench.clean(f"salvaging {os.path.basename(source)} with {[os.path.basename(helper) for helper in helpers]}")
        bench.sound(f"saved {number}")


def uncounted(bench):
    """A card whose making was taken back is erased by its identity, or a start of it."""
    for how in ("undo", "void"):
        for length in (36, 13):
            bench.clear()
            deck = bench.begin("store", 3)
            made = bench.json("store", "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")
            last = json.loads(bench.run("store", "log").stdout.splitlines()[-1])
            bench.run("store", *(["undo"] if how == "undo" else ["void", last["event"]]))
            bench.erase("store", made["id"][:length])
            bench.clean(f"{how} and erase")
            bench.sound("store")
            bench.run("store", "erase", "0123456789", allowed=(1,))


def leftovers(bench):
    """What killed runs left beside the store and in it goes with an erasure; while a living run has it, it is told."""
    def leave(store, kind, number):
        folder = bench.stores if kind in ("backup", "salvage", "export") else bench.path(store)
        token = f"{number:032x}"
        path = os.path.join(folder, f".engram-{kind}-{token}")
        if kind in ("export", "file"):
            os.mkdir(path)
            shutil.copy(os.path.join(bench.path(store), "data.mdb"), os.path.join(path, "file"))
        else:
            os.makedirs(os.path.join(path, "store"))
            shutil.copy(os.path.join(bench.path(store), "data.mdb"), os.path.join(path, "store"))
        status = os.stat(path)
        with open(os.path.join(path, "mark"), "w") as file:
            file.write(f"engram work folder\nkind {kind}\ntoken {token}\nfolder {status.st_dev} {status.st_ino}\nowner {status.st_uid}\n")
        return path

    for how in ("erase", "again", "merge"):
        for is_living in (False, True):
            bench.clear()
            deck = bench.begin("store", 3)
            card = bench.json("store", "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")["id"]
            other = bench.input("other")
            if how == "merge":
                shutil.copytree(bench.path("store"), other)
                bench.run("../inputs/other", "erase", card)
            paths = [leave("store", kind, number) for number, kind in enumerate(("backup", "salvage", "export", "replace", "keep", "file"))]
            if how == "again":
                shutil.copytree(paths[0], bench.input("kept"))
                bench.run("store", "erase", card)
                bench.clean("erase")
                paths = []
                for kind in ("backup", "salvage"):
                    paths.append(leave("store", kind, len(paths) + 9))
                    shutil.copy(os.path.join(bench.input("kept"), "store", "data.mdb"), os.path.join(paths[-1], "store"))
            words = ["merge", other] if how == "merge" else ["erase", card]
            if not is_living:
                bench.run("store", *words)
                bench.clean(f"{how} beside what killed runs left")
                continue
            file = os.open(paths[0], os.O_RDONLY)
            fcntl.flock(file, fcntl.LOCK_EX)
            done = bench.run("store", *words, allowed=(0,) if how == "merge" else (1,))
            document = json.loads(done.stdout)
            if (document["erased"] if how == "merge" else document)["cleared"] or not os.path.isdir(paths[0]):
                raise Broken(f"{how} beside what a living run has: {done.stdout}")
            os.close(file)
            if how == "again":
                bench.run("store", "erase", card)
            else:
                bench.run("store", "deck", "add", "New")
            bench.clean(f"{how}, once nobody has it")
            bench.sound("store")


def migrating(bench):
    """A card of a store of the first format, whose kept old store goes with its texts."""
    bench.clear()
    os.mkdir(bench.path("old"))
    shutil.copy(FIRST_FORMAT, bench.path("old"))
    bench.run("old", "migrate")
    card = max((card for card in bench.cards("old") if card["front"].isascii()), key=lambda card: len(card["front"] + card["back"]))
    others = "\n".join(other["front"] + "\n" + other["back"] for other in bench.cards("old") if other["id"] != card["id"])
    texts = [text for text in (card["front"], card["back"]) if len(text) >= 4 and text not in others]
    needles = [text.encode() for text in texts]
    if not texts or not traces(bench.path("old"), needles=needles):
        raise Broken("no card of the frozen store has a text that can be looked for")
    report = bench.json("old", "erase", card["id"])
    if report["removed"] != ["format-1"]:
        raise Broken(f"the kept store stays: {report}")
    bench.clean("erase", bench.path("old"), needles=needles)
    bench.sound("old")
    # A copy that the first format still has brings nothing back.
    os.mkdir(bench.input("first"))
    shutil.copy(FIRST_FORMAT, bench.input("first"))
    bench.run("old", "merge", bench.input("first"))
    bench.clean("merge of the first format", bench.path("old"), needles=needles)
    # Neither does a backup that is used as a store, with its open form in its folder.
    bench.begin("store", 3)
    bench.run("store", "card", "add", "Others", f"--front={FRONT}", f"--back={BACK}")
    bench.run("store", "backup", bench.path("copy"), "--ndjson")
    report = bench.json("copy", "erase", bench.secret_card("copy"))
    if report["removed"] != ["events.ndjson"]:
        raise Broken(f"the open form stays: {report}")
    bench.clean("erase in a backup", bench.path("copy"))
    origins = {line.split('"event":"')[1].split("/")[0] for line in bench.run("copy", "log").stdout.splitlines()}
    if "0000000000000001" in origins:
        raise Broken("a copy writes under an origin that stands for none")


def killed(bench, dice, rounds):
    """Killed anywhere in an erasure: once the log says that the card was erased, the next write leaves nothing of it."""
    interrupted = 0
    bench.clear()
    deck = bench.begin("base", 60)
    card = bench.json("base", "card", "add", deck, f"--front={FRONT}", f"--back={BACK}")["id"]
    other = bench.cards("base")[0]["id"]
    started = time.monotonic()
    shutil.copytree(bench.path("base"), bench.path("timed"))
    bench.run("timed", "erase", card)
    length = time.monotonic() - started
    base = bench.input("base")
    shutil.move(bench.path("base"), base)
    for _ in range(rounds):
        shutil.rmtree(bench.stores)
        os.mkdir(bench.stores)
        shutil.copytree(base, bench.path("store"))
        child = subprocess.Popen(
            [bench.program, "erase", card, "--store", bench.path("store")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.random() * length * 1.1)
        child.send_signal(signal.SIGKILL)
        interrupted += child.wait() == -signal.SIGKILL
        if '"card_erased"' not in bench.run("store", "log").stdout:
            bench.run("store", "erase", card)
        bench.run("store", "review", other, "good")
        bench.sound("store")
        bench.clean("a kill")
    return interrupted


def parts(bench, dice, options):
    return [
        ("ways", lambda: ways_and_operations(bench, options.long)),
        ("unmarked", lambda: unmarked(bench)),
        ("devices", lambda: three_devices(bench, dice, 24 if options.long else 3)),
        ("elsewhere", lambda: open_elsewhere(bench)),
        ("uncounted", lambda: uncounted(bench)),
        ("leftovers", lambda: leftovers(bench)),
        ("salvage", lambda: salvaging(bench)),
        ("migrate", lambda: migrating(bench)),
        ("kill", lambda: killed(bench, dice, options.kills)),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", nargs="*", help="the parts to run, by name")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if "erase" not in commands(program):
        raise SystemExit("this program has no erase")
    dice = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="engram-erasure-") as folder:
        bench = Bench(program, folder)
        try:
            for name, part in parts(bench, dice, options):
                if not options.only or name in options.only:
                    part()
                    print(f"{name}: nothing was found, {bench.checks} times looked so far", flush=True)
        except Broken as error:
            raise SystemExit(f"FAILED (seed {options.seed}): {error}")
        print(f"nothing of an erased text was found, {bench.checks} times looked")


if __name__ == "__main__":
    main()
