#!/usr/bin/env python3
"""Files that aren't the program's: neighbours, planted links, two runs at one place, signals, kills, folders that can't be written to.

    files.py ENGRAM [--rounds N] [--seed S]

What somebody else's file or folder holds must be the same after every command, whatever it is named and however a link leads to it.
Of two runs that make one thing, one succeeds. What a signal interrupts leaves nothing; what a kill leaves goes with the next run.
A command that only asks changes nothing but LMDB's lock file, and answers where nothing can be written.
"""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from harness import NOW, Broken, right, run, sample
from operations import EARLIER

#: A store's own names, and those of what lies in its folder while something is made there.
OWN = ["data.mdb", "lock.mdb", "engram.lock", "writer.lock", "verified", "events.ndjson"]
OTHERS = [
    "commit.note", "replacement", "data.mdb.previous", "verified.partial", "format-1", "format-2", "data.mdb.partial", ".engram-replace-" + "0a" * 16,
    ".engram-file-" + "0a" * 16, ".engram-keep-" + "0a" * 16,
]

#: Bytes of a page of a store.
PAGE = os.sysconf("SC_PAGESIZE")


def expect(condition, words):
    if not condition:
        raise Broken(words)


def contents(path, times=False):
    """Everything under a folder: names, kinds, bytes, where links lead to."""
    found = {}
    for base, folders, files in os.walk(path):
        for name in folders + files:
            whole = os.path.join(base, name)
            key = os.path.relpath(whole, path)
            if os.path.islink(whole):
                found[key] = ("link", os.readlink(whole))
            elif os.path.isdir(whole):
                found[key] = ("folder", os.stat(whole).st_mtime_ns if times else None)
            else:
                with open(whole, "rb") as file:
                    found[key] = ("file", file.read(), os.stat(whole).st_mtime_ns if times else None)
    return found


def leftovers(path):
    return sorted(name for base, folders, files in os.walk(path) for name in folders + files
                  if name.startswith(".engram-") or name.endswith((".part", ".partial")))


class Place:
    """A folder with a store that has cards and a history, and another person's store."""

    def __init__(self, engram, folder, rows=60):
        self.engram = engram
        self.folder = folder
        self.store = os.path.join(folder, "store")
        self.mine = os.path.join(folder, "mine")
        self.table = sample(os.path.join(folder, "history.csv"), rows)
        for path in (self.store, self.mine):
            self.right("init", store=path)
            deck = self.right("deck", "add", "Words", store=path)["id"]
            self.card = self.right("card", "add", deck, "--front", "la casa", "--back", "the house", store=path)["id"]
        self.right("import", self.table, "--zone", "UTC")
        self.card = self.right("card", "list")["cards"][0]["id"]

    def right(self, *words, store=None):
        return right(self.engram, *words, "--store", store or self.store, "--now", NOW)

    def run(self, *words, store=None, environment=None):
        return run(self.engram, *words, "--store", store or self.store, "--now", NOW, environment=environment)

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words, store=None, environment=None):
        return subprocess.Popen(
            [self.engram, *words, "--store", store or self.store, "--now", NOW], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=environment)


#: What is asked, and changes nothing.
def questions(place):
    return [
        ["due"], ["stats"], ["log"], ["log", "export"], ["card", "list"], ["card", "show", place.card], ["deck", "list"],
        ["deck", "show", "Words"], ["timeline", place.card], ["replay"], ["verify"], ["favourite", "list"], ["mistakes", "list"],
        ["pack", "list"], ["quiz", "types"], ["quiz", "show"], ["quiz"], ["words", "a"], ["scheduler", "show"], ["day", "show"],
        ["stats", "--explain", "reviews"], ["export", "csv", "-"], ["import", place.table, "--zone", "UTC", "--dry-run"],
    ]


#: What changes a store.
def changes(place):
    return [
        ["review", place.card, "good"], ["rebuild"], ["compact"], ["undo"], ["migrate"], ["verify", "--max-time", "5"],
        ["card", "add", "Words", "--front", "uno", "--back", "one"],
    ]


def known(place, rows):
    """Those of the rows whose command this program has, by what help says of them."""
    kept = []
    for row in rows:
        code, _, errors = place.run(*row)
        if code == 2:
            continue
        kept.append(row)
    return kept


def neighbours(engram):
    """Names beside a target that somebody uses for a store, a link to one, or a file."""
    for kind in ("store", "link", "dangling", "file"):
        for words in (["backup", "x"], ["salvage", "store", "x"], ["export", "csv", "x"], ["export", "apkg", "x"]):
            with tempfile.TemporaryDirectory() as folder:
                place = Place(engram, folder)
                words = [place.path(word) if word in ("x", "store") else word for word in words]
                before = contents(place.mine)
                for suffix in (".partial", ".part", ".drill", ".previous", ".tmp", ".replacement", ".new", "~"):
                    name = place.path("x" + suffix)
                    if kind == "store":
                        shutil.copytree(place.mine, name)
                    elif kind == "link":
                        os.symlink(place.mine, name)
                    elif kind == "dangling":
                        os.symlink(place.path("nothing"), name)
                    else:
                        shutil.copy(place.table, name)
                there = contents(folder)
                code, _, errors = place.run(*words)
                expect(code == 0, f"{kind}: {words}: exit {code}: {errors}")
                after = contents(folder)
                changed = [name for name in there if not name.startswith("store") and there[name] != after.get(name)]
                expect(not changed, f"{kind}: {words}: {changed} changed")
                expect(contents(place.mine) == before, f"{kind}: {words}: a neighbour changed")
                made = {name.split("/")[0] for name in set(after) - set(there)}
                expect(made == {"x"}, f"{kind}: {words}: left {made}")
    print("neighbours keep what they hold")


def taken(engram):
    """A name that is taken, by whatever, is refused, and what has it stays."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder)
        os.mkdir(place.path("empty"))
        os.symlink(place.mine, place.path("link"))
        os.symlink(place.path("nothing"), place.path("dangling"))
        os.symlink(place.table, place.path("link to a file"))
        names = ["mine", "empty", "link", "dangling", "link to a file", "history.csv"]
        before = contents(folder)
        os.mkfifo(place.path("pipe"))
        for name in names + ["pipe"]:
            for words, allowed in ((["backup"], (3,)), (["salvage", place.store], (3,)), (["export", "csv"], (2,)),
                                   (["export", "csv", "--force"], (2,))):
                if name == "history.csv" and "--force" in words:
                    continue
                code, _, errors = place.run(*words, place.path(name))
                expect(code in allowed and place.path(name) in errors, f"{words} {name}: exit {code}: {errors}")
        os.unlink(place.path("pipe"))
        after = contents(folder)
        expect({n: c for n, c in after.items() if not n.startswith("store")} == {n: c for n, c in before.items() if not n.startswith("store")},
               "what had the name changed")
        code, _, errors = place.run("export", "csv", "--force", place.table)
        expect(code == 0, f"--force on a file: {errors}")
    print("taken names are refused")


def planted(engram):
    """A store's folder that came from somebody, with links under Engram's names."""
    for name in OWN + OTHERS:
        for kind in ("store", "file", "dangling", "folder"):
            with tempfile.TemporaryDirectory() as folder:
                place = Place(engram, folder, rows=20)
                place.run("compact")
                target = {"store": place.mine, "file": place.path("mine/data.mdb"), "dangling": place.path("nothing")}.get(kind)
                path = os.path.join(place.store, name)
                if os.path.lexists(path):
                    os.unlink(path)
                if kind == "folder":
                    shutil.copytree(place.mine, path)
                else:
                    os.symlink(target, path)
                planted_there = contents(place.store).get(name)
                before = contents(place.mine)
                for words in questions(place)[:3] + [["verify"]] + changes(place) + [["backup", place.path("copy")]]:
                    code, _, errors = place.run(*words)
                    expect(code is not None and code >= 0, f"{name} ({kind}): {words}: died: {errors}")
                    expect(contents(place.mine) == before, f"{name} ({kind}): {words}: the other store changed")
                    expect(not os.path.lexists(place.path("nothing")), f"{name} ({kind}): {words}: wrote through a link")
                    expect(contents(place.store).get(name) == planted_there, f"{name} ({kind}): {words}: what was planted is gone")
                    if name in OWN:
                        expect(code in (1, 3) if words[0] == "verify" else code == 3, f"{name} ({kind}): {words}: exit {code}: {errors}")
                if kind == "folder":
                    expect(contents(path) == before or name in OWN, f"{name}: the folder in the store changed")
    print("links under a store's names lead nowhere")


def carried_over(engram):
    """A migration keeps the old store, and empties nothing for that."""
    for kind in ("none", "store", "link", "dangling", "file"):
        with tempfile.TemporaryDirectory() as folder:
            place = Place(engram, folder, rows=20)
            old = place.path("old")
            os.mkdir(old)
            shutil.copy(EARLIER, old)
            kept = os.path.join(old, "format-1")
            if kind == "store":
                shutil.copytree(place.mine, kept)
            elif kind in ("link", "dangling"):
                os.symlink(place.mine if kind == "link" else place.path("nothing"), kept)
            elif kind == "file":
                shutil.copy(place.table, kept)
            before, there = contents(place.mine), contents(old).get("format-1")
            inner = contents(kept) if kind == "store" else None
            code, out, errors = place.run("migrate", "--json", store=old)
            expect(code == 0, f"migrate beside {kind}: exit {code}: {errors}")
            expect(contents(place.mine) == before and not os.path.lexists(place.path("nothing")), f"migrate beside {kind}: touched it")
            if kind != "none":
                expect(contents(old).get("format-1") == there, f"migrate beside {kind}: it is gone")
            if inner is not None:
                expect(contents(kept) == inner, f"migrate beside {kind}: emptied it")
            where = os.path.join(old, "format-1" if kind == "none" else "format-1-2")
            with open(os.path.join(where, "data.mdb"), "rb") as file, open(EARLIER, "rb") as original:
                expect(file.read() == original.read(), f"migrate beside {kind}: the old store isn't kept")
            expect(place.run("verify", store=old)[0] == 0, "the migrated store isn't sound")
            expect(not leftovers(old), leftovers(old))
    print("what a migration keeps takes nobody's place")


def races(engram, rounds):
    """Two or three runs at one place at once: one succeeds, and what it leaves is whole."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        for number in range(rounds):
            for words, refused in ((["backup"], 3), (["export", "csv"], 2), (["salvage", place.store], 3), (["export", "apkg"], 2), (["init"], 3)):
                target = place.path(f"{words[0]}{number}")
                if words == ["init"]:
                    runs = [place.start("init", store=target) for _ in range(2 + number % 2)]
                else:
                    runs = [place.start(*words, target) for _ in range(2 + number % 2)]
                errors = [process.communicate()[1].decode() for process in runs]
                codes = sorted(process.returncode for process in runs)
                expect(codes == [0] + [refused] * (len(runs) - 1), f"{words}: exits {codes}: {errors}")
                expect(not leftovers(folder), f"{words}: left {leftovers(folder)}")
                if words[0] in ("backup", "salvage", "init"):
                    expect(place.run("verify", store=target)[0] == 0, f"{words}: what was made isn't sound")
                    shutil.rmtree(target)
                else:
                    expect(os.path.getsize(target) > 0, f"{words}: nothing was written")
                    os.unlink(target)
    print(f"{rounds} rounds of runs at one place: one succeeds")


def live_database(path):
    """A foreign database whose write-ahead log must be read; the connection must stay open."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("CREATE TABLE engram_pack (name TEXT)")
    connection.execute("CREATE TABLE filler (bytes BLOB)")
    for _ in range(30):
        connection.execute("INSERT INTO filler VALUES (?)", (os.urandom(1 << 20),))
    connection.commit()
    return connection


def interrupted(engram, rounds, seed):
    """Signals and kills at random moments."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=400)
        temporary = place.path("tmp")
        os.mkdir(temporary)
        connection = live_database(place.path("live.sqlite"))
        environment = dict(os.environ, TMPDIR=temporary, SWIFT_BACKTRACE="enable=no")
        ended = collected = 0
        rows = [
            ["backup", place.path("copy"), "--drill", "--ndjson"], ["salvage", place.store, place.path("copy")],
            ["export", "apkg", place.path("copy")], ["compact"], ["pack", "install", place.path("live.sqlite")], ["export", "csv", place.path("copy")],
        ]
        lengths = []
        for words in rows:
            start = time.monotonic()
            place.start(*words, environment=environment).communicate()
            lengths.append(time.monotonic() - start)
            remove(place.path("copy"))
        for number in range(rounds):
            index = number % len(rows)
            words = rows[index]
            kind = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)[number // len(rows) % 4]
            process = place.start(*words, environment=environment)
            time.sleep(chance.random() * lengths[index])
            process.send_signal(kind)
            errors = process.communicate()[1].decode()
            code = process.returncode
            expect(code in (0, 2, 3, -kind), f"{words}: {kind!r}: exit {code}: {errors}")
            ended += code == -kind
            if kind == signal.SIGKILL:
                # The next run of the same kind.
                collected += bool(leftovers(folder))
                remove(place.path("copy"))
                place.start(*words, environment=environment).communicate()
            expect(not leftovers(folder), f"{words}: {kind!r}: left {leftovers(folder)}")
            expect(not os.listdir(temporary), f"{words}: {kind!r}: left {os.listdir(temporary)}")
            if code == -kind and kind != signal.SIGKILL and words[0] in ("backup", "salvage") and os.path.exists(place.path("copy")):
                expect(place.run("verify", store=place.path("copy"))[0] == 0, f"{words}: half a store is there")
            remove(place.path("copy"))
        expect(place.run("verify")[0] == 0, "the store isn't sound")
        expect(ended > 0, "no run was ended by its signal")
        # Ignored signals stay ignored.
        process = subprocess.Popen(["nohup", engram, "backup", place.path("copy"), "--store", place.store], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(lengths[0] / 3)
        process.send_signal(signal.SIGHUP)
        expect(process.wait() == 0, "a signal that was to be ignored ended a run")
        connection.close()
    print(f"{rounds} interrupted runs left nothing: {ended} ended by their signal, {collected} kills left what the next run removed")


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def foreign_folders(engram):
    """`init` makes a store in no folder that holds something."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        for number, name in enumerate(["letter.txt", ".hidden", "data.mdb", "lock.mdb", "verified", "a folder", "dangling", "lmdb", "guarded", "guard"]):
            target = place.path(f"target{number}")
            os.mkdir(target)
            if name == "a folder":
                os.mkdir(os.path.join(target, name))
            elif name == "dangling":
                os.symlink("nothing", os.path.join(target, name))
            elif name in ("lmdb", "guarded", "guard"):
                if name != "guard":
                    shutil.copy(os.path.join(place.mine, "data.mdb"), target)
                if name != "lmdb":
                    with open(os.path.join(target, "engram.lock"), "w") as file:
                        file.write("engram\n")
            else:
                with open(os.path.join(target, name), "w") as file:
                    file.write("mine")
            before = contents(target)
            code, _, errors = run(engram, "init", "--store", target)
            expect(code == 3 and target in errors, f"{name}: exit {code}: {errors}")
            after = contents(target)
            expect(after == before, f"init over {name} changed it: {sorted(after)}")
        os.mkdir(place.path("free"))
        expect(run(engram, "init", "--store", place.path("free"))[0] == 0, "an empty folder is refused")
        # What its own interrupted making left.
        for files in ({"engram.lock": b""}, {"engram.lock": b"", "writer.lock": b"", "data.mdb": b""}):
            remove(place.path("free"))
            os.mkdir(place.path("free"))
            for name, data in files.items():
                with open(os.path.join(place.path("free"), name), "wb") as file:
                    file.write(data)
            code, _, errors = run(engram, "init", "--store", place.path("free"))
            expect(code == 0, f"{sorted(files)}: exit {code}: {errors}")
            expect(run(engram, "verify", "--store", place.path("free"))[0] == 0, f"{sorted(files)}: not sound")
    print("init wants its folder for itself")


def changed_format_key(data):
    data[data.index(b"format\x02\x00\x00\x00")] ^= 1


def empty_trees(data, metas):
    """The newest meta page, or both, say that the main tree is empty."""
    newest = max((0, 1), key=lambda page: struct.unpack_from("<Q", data, page * PAGE + 144)[0])
    for page in range(2):
        if page == newest or metas == 2:
            struct.pack_into("<HQQQQQ", data, page * PAGE + 88 + 6, 0, 0, 0, 0, 0, (1 << 64) - 1)


def empty_records(data):
    """What leads to the database of records says that it is empty, wherever it stands."""
    for at in (at for at in range(len(data) - 55) if data[at:at + 7] == b"records"):
        struct.pack_into("<HQQQQQ", data, at + 7 + 6, 0, 0, 0, 0, 0, (1 << 64) - 1)


def damaged_stores(engram):
    """`init` in the folder of a store that was acknowledged: refused whatever became of it, and not a byte is changed."""
    damages = {
        "newest tree empty": lambda data: empty_trees(data, 1), "trees empty": lambda data: empty_trees(data, 2),
        "format key": changed_format_key, "records empty": empty_records, "metas of a new file": lambda data: struct.pack_into(
            "<Q", data, 144, 0) or struct.pack_into("<Q", data, PAGE + 144, 0) or empty_trees(data, 2),
    }
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        bare = place.path("bare")
        run(engram, "init", "--store", bare)
        tried = 0
        for source in (place.store, place.mine, bare):
            for marked in (True, False):
                for name in [*damages, "no file", "empty file", "sound"]:
                    if not marked and source == bare and name not in ("format key", "records empty", "trees empty", "sound"):
                        continue
                    if not marked and name in ("no file", "empty file") and not os.path.exists(os.path.join(source, "commit.note")):
                        continue
                    target = place.path("target")
                    remove(target)
                    shutil.copytree(source, target)
                    path = os.path.join(target, "data.mdb")
                    with open(path, "rb") as file:
                        data = bytearray(file.read())
                    if name in damages:
                        damages[name](data)
                    with open(path, "wb") as file:
                        file.write(b"" if name == "empty file" else data)
                    if name == "no file":
                        os.unlink(path)
                    if not marked:
                        # As an earlier version's death between two steps could leave it.
                        open(os.path.join(target, "engram.lock"), "w").close()
                    before = contents(target)
                    code, _, errors = run(engram, "init", "--store", target)
                    after = contents(target)
                    expect(code == 3 and after == before, f"init over a store ({name}, marked: {marked}): exit {code}: {errors}")
                    tried += 1
    print(f"init left {tried} damaged stores alone")


def hard_links(engram):
    """A file of somebody's that has a lock file's name as well is neither written to nor locked; a data file may have two names."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        for name in ("lock.mdb", "engram.lock", "writer.lock"):
            for text in (b"", b"mine", bytes(20_000)):
                letter = place.path("letter")
                with open(letter, "wb") as file:
                    file.write(text)
                own = os.path.join(place.store, name)
                if os.path.exists(own):
                    os.rename(own, place.path("own"))
                os.link(letter, own)
                for words in (["due"], ["review", place.card, "good"], ["rebuild"], ["compact"], ["init"], ["migrate"], ["log"]):
                    code, _, errors = place.run(*words)
                    expect(code == 3 and (name in errors or words == ["init"]), f"{words} with a second name of {name}: exit {code}: {errors}")
                    with open(letter, "rb") as file:
                        expect(file.read() == text, f"{words} wrote to a second name of {name}")
                os.unlink(own)
                if os.path.exists(place.path("own")):
                    os.rename(place.path("own"), own)
        other = place.path("note")
        os.link(os.path.join(place.store, "commit.note"), other)
        with open(other, "rb") as file:
            before = file.read()
        place.right("review", place.card, "good")
        with open(other, "rb") as file:
            expect(file.read() == before, "a note's second name was written to")
        os.link(os.path.join(place.store, "data.mdb"), place.path("data"))
        place.right("due")
        place.right("review", place.card, "good")
        expect(place.run("verify")[0] == 0, "not sound after that")
    print("lock files with a second name are refused")


def size_limit(engram):
    """No file may grow: every command that makes one says so and leaves nothing."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        place.right("backup", place.path("b"))
        rows = [["salvage", place.path("b"), place.path("out")], ["backup", place.path("out")], ["export", "csv", place.path("out")],
                ["compact"], ["init", "--store", place.path("out")]]
        for words in rows:
            words = words if "--store" in words else words + ["--store", place.store]
            code, _, errors = run("bash", "-c", 'ulimit -f 0; exec "$@"', "bash", engram, *words)
            expect(code == 3, f"{words} where no file may grow: exit {code}: {errors}")
            expect(not leftovers(folder), f"{words} where no file may grow left {leftovers(folder)}")
            remove(place.path("out"))
    print("a limit of a file's size is told")


def questions_change_nothing(engram):
    """Every question changes no byte but of LMDB's lock file, and creates nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        copy = place.path("copy")
        place.right("backup", copy)
        older = place.path("older")
        os.mkdir(older)
        shutil.copy(EARLIER, older)
        for store in (place.store, copy, older):
            for words in questions(place):
                before = contents(store)
                code, _, errors = place.run(*words, store=store)
                expect(code in (0, 1, 2) if store != older else code in (0, 1, 2, 3), f"{words}: exit {code}: {errors}")
                after = contents(store)
                before.pop("lock.mdb", None), after.pop("lock.mdb", None)
                expect(after == before, f"{words} on {os.path.basename(store)} changed {[n for n in after if after[n] != before.get(n)]}")
    print(f"{len(questions(place))} questions change nothing")


def read_only(engram):
    """The same where nothing can be written, as on a disk that is mounted so."""
    script = """
        mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
        shift; touch "$1/probe" 2>/dev/null && exit 99
        shift; exec "$@"
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        asks = [row for row in questions(place)]
        copy = place.path("bare")
        os.mkdir(copy)
        shutil.copy(os.path.join(place.store, "data.mdb"), copy)
        mounted = ["unshare", "-m", "bash", "-c", script, "bash"]
        if run(*mounted, place.store, place.store, "true")[0] != 0:
            print("read-only disks: not tried, as mounting isn't allowed here")
            return
        for store in (place.store, copy):
            for words in asks + [["backup", place.path("saved")], ["export", "csv", place.path("cards.csv")], ["salvage", store, place.path("saved")]]:
                expected = place.run(*words, store=store)
                for name in ("saved", "cards.csv"):
                    remove(place.path(name))
                if store == copy:
                    for name in os.listdir(copy):
                        if name != "data.mdb":
                            os.unlink(os.path.join(copy, name))
                found = run(*mounted, store, store, engram, *words, "--store", store, "--now", NOW)
                expect(found[0] == expected[0], f"read-only: {words}: exit {found[0]}, and it should be {expected[0]}: {found[2]}")
                for name in ("saved", "cards.csv"):
                    remove(place.path(name))
            code, _, errors = run(*mounted, store, store, engram, "review", place.card, "good", "--store", store)
            expect(code == 3 and store in errors, f"read-only: review: exit {code}: {errors}")
    print("read-only disks are answered from")


def beside_a_writer(engram, rounds):
    """Questions while somebody writes: right answers, and no damage seen where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(engram, folder, rows=20)
        script = 'for i in $(seq %d); do "$1" review "$2" good --store "$3" --now "%s" >/dev/null || exit 9; done' % (rounds, NOW)
        writer = subprocess.Popen(["bash", "-c", script, "bash", engram, place.card, place.store])
        asked = 0
        while writer.poll() is None:
            for words in (["due"], ["stats"], ["verify"]):
                code, _, errors = place.run(*words)
                expect(code == 0, f"{words} beside a writer: exit {code}: {errors}")
                asked += 1
        expect(writer.returncode == 0, "the writer failed")
        expect(place.run("verify")[0] == 0, "not sound after that")
    print(f"{asked} questions beside a writer")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    engram = os.path.abspath(options.engram)
    parts = {
        "neighbours": lambda: neighbours(engram), "taken": lambda: taken(engram), "planted": lambda: planted(engram),
        "migration": lambda: carried_over(engram), "races": lambda: races(engram, max(3, options.rounds // 6)),
        "interrupted": lambda: interrupted(engram, options.rounds, options.seed), "init": lambda: foreign_folders(engram),
        "damaged": lambda: damaged_stores(engram), "links": lambda: hard_links(engram), "limit": lambda: size_limit(engram),
        "questions": lambda: questions_change_nothing(engram), "readonly": lambda: read_only(engram),
        "writer": lambda: beside_a_writer(engram, options.rounds),
    }
    failed = 0
    for name, part in parts.items():
        if options.only and name not in options.only:
            continue
        try:
            part()
        except Broken as broken:
            failed += 1
            print(f"{name}: {broken} (--seed {options.seed})", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
