"""The operations that the tests of storage run, one row each, and the store that they begin with."""

import os
import shutil
import sqlite3
from dataclasses import dataclass
from typing import Callable, Optional

from harness import NOW, ROOT, commands, right, run, sample

#: A store of an earlier format.
EARLIER = os.path.join(ROOT, "Tests", "CompatibilityTests", "Stores", "format-1", "data.mdb")


@dataclass
class Operation:
    """One row: a command line, and what a run of it that was acknowledged must have left behind."""

    name: str
    arguments: Callable[["Scene"], list]
    #: The command that the program must have for this row to be run.
    command: str = ""
    #: Whether the store at `Scene.store` is the one that it changes; else it makes the one at `makes`.
    makes: Optional[Callable[["Scene"], str]] = None
    #: A file that it writes whole or not at all.
    writes: Optional[Callable[["Scene"], str]] = None
    #: Whether running it again adds what the first run added once more.
    adds_again: bool = False
    #: The store that it works on.
    store: Callable[["Scene"], str] = lambda scene: scene.store
    #: Whether it is refused while somebody else has the store open.
    alone: bool = False
    #: Exit codes of running it again where it was done already.
    done_codes: tuple = (0,)
    #: Exit codes besides 0 and 3 of a run that met a failure: it ended, and says that something is missing.
    other_codes: tuple = ()
    #: Findings that a run which met a failure may leave until the next one.
    findings: tuple = ()


OPERATIONS = [
    Operation("review", lambda s: ["review", s.card, "good", "--took", "1000"], "review", adds_again=True),
    Operation("import", lambda s: ["import", s.table, "--zone", "UTC"], "import"),
    Operation("log import", lambda s: ["log", "import", s.lines], "log"),
    Operation("merge", lambda s: ["merge", s.other], "merge"),
    Operation("rebuild", lambda s: ["rebuild"], "rebuild"),
    Operation("init", lambda s: ["init"], "init", makes=lambda s: os.path.join(s.folder, "fresh")),
    Operation("pack install", lambda s: ["pack", "install", s.pack], "pack"),
    Operation(
        "export", lambda s: ["export", "csv", os.path.join(s.folder, "cards.csv")], "export",
        writes=lambda s: os.path.join(s.folder, "cards.csv")),
    Operation("erase", lambda s: ["erase", s.spare], "erase", alone=True, done_codes=(0, 1),
              findings=("texts_not_cleared",)),
    Operation("compact", lambda s: ["compact"], "compact", alone=True),
    Operation("migrate", lambda s: ["migrate"], "migrate", store=lambda s: s.old, alone=True),
    Operation("backup", lambda s: ["backup", os.path.join(s.folder, "copy")], "backup", makes=lambda s: os.path.join(s.folder, "copy")),
    Operation(
        "salvage", lambda s: ["salvage", s.store, os.path.join(s.folder, "saved")], "salvage",
        makes=lambda s: os.path.join(s.folder, "saved"), other_codes=(1,)),
    Operation("verify", lambda s: ["verify", "--level", "deep"], "verify"),
    Operation("statistics", lambda s: ["stats"], "stats"),
]


def operations(program, names=None):
    """The rows whose command this program has."""
    there = commands(program)
    return [row for row in OPERATIONS if row.command in there and (not names or row.name in names)]


def make_pack(path):
    """A pack of Engram's own form, with a few words and a question each."""
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE engram_pack (name TEXT); INSERT INTO engram_pack VALUES ('Words');
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, entry TEXT);
        CREATE TABLE questions (id INTEGER PRIMARY KEY, word_id INTEGER, prompt TEXT, level INTEGER);
        CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER);
        CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT);
        INSERT INTO test_types VALUES ('easy', 'Easy', 'Some', 'level = 1');
    """)
    for number in range(1, 13):
        database.execute("INSERT INTO words VALUES (?, ?, ?)", (number, f"word {number}", f"entry {number} " * 20))
        database.execute("INSERT INTO questions VALUES (?, ?, ?, ?)", (100 + number, number, f"What is word {number}?", number % 2))
        for position, text in enumerate(("it", "not it", "nor this")):
            database.execute("INSERT INTO options VALUES (?, ?, ?, ?)", (100 + number, position, text, position == 0))
    database.commit()
    database.close()
    return path


class Scene:
    """A folder with a store that has cards, a checkpoint, a tail after it and free pages, and files to take in."""

    def __init__(self, program, folder, rows=300):
        self.program = program
        self.folder = folder
        self.store = os.path.join(folder, "store")
        self.table = sample(os.path.join(folder, "history.csv"), rows, skip=500)
        self.pack = make_pack(os.path.join(folder, "pack.sqlite"))
        self.right("init")
        self.deck = self.right("deck", "add", "Words")["id"]
        self.card = self.right("card", "add", self.deck, "--front", "la casa", "--back", "the house")["id"]
        self.spare = self.right("card", "add", self.deck, "--front", "el perro", "--back", "the dog " * 700)["id"]
        self.right("import", sample(os.path.join(folder, "first.csv"), rows), "--zone", "UTC")
        for grade in ("good", "again", "easy"):
            self.right("review", self.card, grade)
        self.old = os.path.join(folder, "old")
        self.make_old()
        self.lines = os.path.join(folder, "log.ndjson")
        self.other = os.path.join(folder, "other")
        self.make_other(sample(os.path.join(folder, "others.csv"), rows, skip=1000))

    def right(self, *words):
        return right(self.program, *words, "--store", self.store, "--now", NOW)

    def make_old(self):
        """A store as an earlier program left it."""
        shutil.rmtree(self.old, ignore_errors=True)
        os.mkdir(self.old)
        shutil.copy(EARLIER, self.old)

    def make_other(self, table):
        """Another device's store that holds more than this one, and the same as lines of JSON."""
        right(self.program, "init", "--store", self.other)
        right(self.program, "merge", self.store, "--store", self.other, "--now", NOW)
        right(self.program, "import", table, "--zone", "UTC", "--store", self.other, "--now", NOW)
        code, out, errors = run(self.program, "log", "export", "--store", self.other)
        assert code == 0, errors
        with open(self.lines, "w") as file:
            file.write(out)

    def command_line(self, row):
        """What is run for `row`."""
        store = row.makes(self) if row.name == "init" else row.store(self)
        return [self.program, *row.arguments(self), "--store", store, "--now", NOW, "--json"]

    def subject(self, row):
        """The store that a run of `row` makes or changes."""
        return row.makes(self) if row.makes else row.store(self)
