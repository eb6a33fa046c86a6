"""Writes inputs for a fuzzer to begin with: seeds.py NAME FOLDER ENGRAM. Those that it has found itself stay."""

import io
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def goldens():
    """The payload of every event type in every version, as the golden vectors have it, after its type and version."""
    folder = os.path.join(ROOT, "Tests", "StudyModelTests", "Golden")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            golden = json.load(file)
        for number, vector in enumerate(golden["vectors"]):
            head = golden["type"].to_bytes(2, "little") + bytes([golden["version"]])
            yield f"{golden['name']}-{golden['version']}-{number}", head + bytes.fromhex(vector["bytes"])


def anki():
    """The smallest collection that has a card and a review, as a package."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "collection.anki2")
        database = sqlite3.connect(path, isolation_level=None)
        database.executescript("""
            pragma page_size = 512;
            create table col (id integer primary key, crt integer, mod integer, scm integer, ver integer, dty integer, usn integer,
                ls integer, conf text, models text, decks text, dconf text, tags text);
            create table notes (id integer primary key, guid text, mid integer, mod integer, usn integer, tags text, flds text,
                sfld integer, csum integer, flags integer, data text);
            create table cards (id integer primary key, nid integer, did integer, ord integer, mod integer, usn integer, type integer,
                queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, left integer, odue integer,
                odid integer, flags integer, data text);
            create table revlog (id integer primary key, cid integer, usn integer, ease integer, ivl integer, lastIvl integer,
                factor integer, time integer, type integer);
            create table graves (usn integer, oid integer, type integer);
            insert into col values (1, 1700000000, 0, 0, 11, 0, 0, 0, '{}',
                '{"1": {"id": 1, "name": "Basic", "flds": [{"name": "Front"}, {"name": "Back"}],
                        "tmpls": [{"name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}"}], "type": 0}}',
                '{"1": {"id": 1, "name": "Default"}}', '{}', '{}');
            insert into notes values (1, 'a', 1, 0, 0, '', 'front' || char(31) || 'back', 'front', 0, 0, '');
            insert into cards values (1, 1, 1, 0, 0, 0, 2, 2, 1, 3, 2500, 1, 0, 0, 0, 0, 0, '');
            insert into revlog values (1700000000000, 1, 0, 3, 3, 0, 2500, 1000, 1);
        """)
        database.close()
        with open(path, "rb") as file:
            content = file.read()
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("collection.anki2", content)
        archive.writestr("media", "{}")
    return [("collection", content), ("package", package.getvalue())]


def tables():
    with open(os.path.join(ROOT, "tools", "sample", "review-history.csv")) as file:
        lines = file.readlines()[:5]
    text = "#separator:tab\n#deck:Words\nla casa\tthe house\nel perro\tthe \"dog\"\n"
    return [("table", "".join(lines).encode()), ("text", text.encode()), ("semicolons", b"a;b\n\"c\nd\";e\n")]


def lines():
    """An exported log of a few events."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")

        def run(*words):
            return subprocess.run([ENGRAM, *words, "--store", store], capture_output=True, check=True).stdout

        run("init")
        run("deck", "add", "Words")
        run("card", "add", "Words", "--front", "a", "--back", "b")
        run("scheduler", "set", "boxes:count=5,first=1,multiplier=2")
        return [("log", run("log", "export"))]


def sources():
    """Commits of one event each, chained by the fuzzer itself, and lines."""
    log = b""
    for number, (_, golden) in enumerate(goldens(), 1):
        kind, version, payload = golden[:2], golden[2:3], golden[3:]
        number = bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])
        rest = number + b"\0" + payload
        time = (1_700_000_000_000 << 16).to_bytes(8, "little")
        # Settings and the like are about nothing.
        subject = bytes(16) if kind in (b"\x10\0", b"\x11\0", b"\x20\0") else b"\x05" * 16
        frame = bytes(4) + b"\xe7\x4e" + kind + version + b"\0\0\0" + (48 + len(rest)).to_bytes(4, "little")
        frame += b"\x09" * 8 + time + subject + rest
        commit = bytes(32) + b"\xc7\x43\x02" + (b"\1" if kind[1] == 0 else b"\0") + number + b"\1" + frame
        log += len(commit).to_bytes(2, "little") + commit
    return [("commits", b"\3" + log), ("lines", b"\4" + lines()[0][1])]


def pages():
    """Pages of a real store, packed as the fuzzer spreads them: a byte for the head's length, one for the tail's."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        for words in (["init"], ["deck", "add", "A"], ["deck", "add", "B"], ["deck", "add", "C"], ["rebuild"], ["deck", "add", "D"]):
            subprocess.run([ENGRAM, *words, "--store", store], capture_output=True, check=True)
        with open(os.path.join(store, "data.mdb"), "rb") as file:
            data = file.read()
    packed = b""
    for start in range(0, len(data), 4096):
        page = data[start:start + 4096]
        lower = int.from_bytes(page[12:14], "little")
        upper = int.from_bytes(page[14:16], "little")
        head = 152 if start < 8192 else min(max(lower + 1 & ~1, 16), 510)
        tail = 0 if start < 8192 else min((4096 - upper + 7) // 8, 255)
        packed += bytes([head // 2, tail]) + page[:head] + page[4096 - 8 * tail:]
    return [("store", packed)]


def changes():
    """Changes of a store that writes.swift makes: a page, a place in it, a count, and so many bytes."""
    for number in range(2, 64):
        yield f"header-{number}", bytes([number % 8, number, 0, 0, 7]) + bytes(8)
        yield f"list-{number}", bytes([number % 8, number, 0x80, 40, 7, number + 1, 0, 0, 0, 0, 0, 0, 0])


ENGRAM = sys.argv[3]
def content():
    """Steps of the fuzzer of content: a database, a record, what to do, a value."""
    for database in range(6):
        for action in range(4):
            for record in (0, 3):
                yield f"step-{database}-{action}-{record}", bytes([database, record, action, 7]) + b"a value"
        yield f"two-{database}", bytes([database, 1, 0, 3, database, 2, 0, 40])


SEEDS = {"content": content, "codec": goldens, "files": lambda: anki() + tables(), "log": lines, "pages": pages, "writes": changes,
         "sources": sources}

for name, content in SEEDS[sys.argv[1]]():
    with open(os.path.join(sys.argv[2], "seed-" + name), "wb") as file:
        file.write(content)
