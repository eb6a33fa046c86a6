#!/usr/bin/env python3
"""Commands under limits of memory, threads, files and disk, with inputs that were made to take all of it; and what a terminal gets.

  bounds.py ENGRAM [--long]

Each part runs the program with a limit, and holds it to this: an exit code that says what happened, never a signal, a sentence that
names what there was too little of or what was too large, and little memory and time. Needs Linux; what only root may do (another
user, a small disk) is left out, with a word, where it may not.
"""

import argparse
import csv
import gzip
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

import harness
from harness import Broken

NOBODY = 65534
MIB = 1 << 20


class Ending:
    """How a run ended: exit code (negative for a signal, None for a hang), output, errors, peak memory, seconds."""

    def __init__(self, code, out, errors, memory, seconds):
        self.code, self.out, self.errors, self.memory, self.seconds = code, out, errors, memory, seconds

    def __repr__(self):
        return f"exit {self.code}, {self.memory >> 20} MiB, {self.seconds:.1f} s: {self.errors[-400:]!r}"


def run(program, *arguments, user=None, timeout=60, feed=None, **limits):
    """Runs a command under limits, named like those of setrlimit."""

    def prepare():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name.upper()), (value, value))
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as given:
        given.write(feed or b"")
        given.seek(0)
        started = time.monotonic()
        child = subprocess.Popen(
            [program, *arguments], stdin=given, stdout=out, stderr=errors, preexec_fn=prepare, cwd=run.folder,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no", COLUMNS="80"))
        code = None
        memory = 0
        while time.monotonic() - started < timeout:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                memory = usage.ru_maxrss << 10
                child.returncode = code
                break
            time.sleep(0.005)
        else:
            child.kill()
            child.wait()
        seconds = time.monotonic() - started
        out.seek(0)
        errors.seek(0)
        return Ending(code, out.read(), errors.read(), memory, seconds)


def expect(what, ending, codes=(0,), says=(), memory=300 * MIB, seconds=20):
    """Holds a run to what it may end with."""
    text = ending.errors.decode(errors="replace") + ending.out.decode(errors="replace")
    if ending.code not in codes:
        raise Broken(f"{what}: {ending}")
    if says and not any(word in text for word in says):
        raise Broken(f"{what}: says none of {says}: {ending}")
    if ending.memory > memory:
        raise Broken(f"{what}: {ending.memory >> 20} MiB: {ending}")
    if ending.seconds > seconds:
        raise Broken(f"{what}: {ending.seconds:.1f} s: {ending}")
    return ending


class Bench:
    """A folder, the program, and a store that is long enough for two threads."""

    def __init__(self, engram, folder, is_long):
        self.is_long = is_long
        # What a command writes under a name that it was given lands here.
        run.folder = os.path.join(folder, "here")
        os.makedirs(run.folder)
        self.engram = engram
        self.folder = folder
        self.store = self.path("long")
        self.made("init")
        rows = self.path("rows.csv")
        with open(harness.SAMPLE) as sample, open(rows, "w") as more:
            lines = sample.readlines()
            more.writelines(lines)
            # The same rows of other cards.
            more.writelines("9" + line for line in lines[1:])
        self.rows = rows
        self.made("import", rows, "--deck", "D")

    def path(self, name):
        return os.path.join(self.folder, name)

    def made(self, *arguments, store=None):
        expect(" ".join(arguments), run(self.engram, *arguments, "--store", store or self.store))

    def fresh(self, name="small"):
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        self.made("init", store=path)
        return path

    def write(self, name, content):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path


# ---- The machine


def threads(bench):
    """Verification and replay where no thread can be made: as another user, since root has no limit of processes."""
    if os.geteuid() != 0:
        return "left out: only root can become another user"
    os.chmod(bench.folder, 0o777)
    for base, folders, names in os.walk(bench.store):
        for name in folders + names + [""]:
            os.chmod(os.path.join(base, name), 0o777)
    free = expect("replay", run(bench.engram, "replay", "--json", "--store", bench.store))
    digest = json.loads(free.out)["digest"]
    for limit in (0, 1):
        for arguments in (["verify", "--json"], ["replay", "--json"], ["stats"], ["verify", "--level", "log"], ["due"]):
            ending = run(bench.engram, *arguments, "--store", bench.store, user=NOBODY, nproc=limit)
            expect(f"{arguments} with {limit} threads", ending)
            if arguments[0] == "replay" and json.loads(ending.out)["digest"] != digest:
                raise Broken("a replay on one thread has another digest")
    return "10 runs"


COMMANDS = [
    ["verify"], ["stats"], ["replay"], ["due"], ["log"], ["card", "list"], ["review", "x", "good"], ["log", "export"], ["deck", "add", "D"],
]


def descriptors(bench):
    """Few files: a sentence, or the right answer."""
    store = bench.fresh()
    count = 0
    for limit in (4, 6, 7, 8, 9, 10, 12, 16):
        for arguments in COMMANDS + [["import", bench.rows, "--dry-run"], ["backup", bench.path(f"b{limit}")]]:
            ending = run(bench.engram, *arguments, "--store", store, nofile=limit)
            if ending.code == 127:
                break  # not even the program's libraries could be opened
            expect(f"{arguments} with {limit} files", ending, (0, 1, 2, 3))
            if ending.code == 3 and b"(ulimit -n)" not in ending.errors:
                raise Broken(f"{arguments} with {limit} files: {ending}")
            count += 1
    return f"{count} runs"


def memory(bench):
    """Little address space: a sentence about memory, or the right answer. The store stays sound."""
    count = short = 0
    for limit in [36, 38, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 128, 192]:
        store = bench.fresh()
        for arguments in COMMANDS + [
            ["import", bench.rows, "--deck", "D"], ["export", "apkg", bench.path("out.apkg"), "-f"], ["compact"], ["rebuild"],
        ]:
            ending = run(bench.engram, *arguments, "--store", store, **{"as": limit * MIB})
            if ending.code == 127:
                break
            expect(f"{arguments} in {limit} MiB", ending, (0, 1, 2, 3))
            if ending.code in (2, 3) and b"memory" not in ending.errors and arguments[0] != "review":
                raise Broken(f"{arguments} in {limit} MiB: {ending}")
            short += ending.code == 3
            count += 1
        expect("verify", run(bench.engram, "verify", "--store", store))
    return f"{count} runs, {short} without enough"


def file_sizes(bench):
    """A limit of a file's size is a full disk to whoever writes; what is acknowledged is there, and an import is whole or not there."""
    remarks = refused = 0
    whole = bench.fresh("whole")
    bench.made("import", bench.rows, "--deck", "D", store=whole)
    largest = os.path.getsize(os.path.join(whole, "data.mdb"))
    events = json.loads(run(bench.engram, "replay", "--json", "--store", whole).out)["events"]
    for step in range(1, 25):
        store = bench.fresh()
        limit = largest * step // 24 // 4096 * 4096 + (step % 3) * 1000
        ending = run(bench.engram, "import", bench.rows, "--deck", "D", "--store", store, fsize=limit)
        expect(f"import with files of {limit} bytes", ending, (0, 3))
        found = json.loads(run(bench.engram, "replay", "--json", "--store", store).out)["events"]
        if ending.code == 3:
            refused += 1
            if b"ulimit -f" not in ending.errors or found != 0:
                raise Broken(f"import with files of {limit} bytes: {found} events: {ending}")
        else:
            remarks += b"warning" in ending.errors
            if found != events:
                raise Broken(f"import with files of {limit} bytes: {found} events of {events}: {ending}")
        expect("verify", run(bench.engram, "verify", "--store", store))
    if not refused or not remarks:
        raise Broken(f"{refused} imports were refused, and {remarks} told that their checkpoint failed: neither may be none")
    for arguments in (["export", "csv"], ["export", "apkg"], ["backup"]):
        target = bench.path("target")
        ending = run(bench.engram, *arguments, target, "--store", bench.store, fsize=64 << 10)
        expect(" ".join(arguments), ending, (3,), ["ulimit -f"])
        if os.path.exists(target):
            raise Broken(f"{arguments} left half a file")
    return f"{refused} refused, {remarks} whole without their checkpoint"


def full_disk(bench):
    """A disk of its own, full in several degrees."""
    disk = bench.path("disk")
    os.makedirs(disk, exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], capture_output=True).returncode != 0:
        return "left out: no disk can be mounted here"
    count = 0
    try:
        for left in [0, 4096, 8192, 65536, 400_000, 1_100_000, 2_000_000, 4_000_000]:
            for name in os.listdir(disk):
                path = os.path.join(disk, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
            store = os.path.join(disk, "store")
            bench.made("init", store=store)
            bench.made("deck", "add", "first", store=store)
            status = os.statvfs(disk)
            with open(os.path.join(disk, "filler"), "wb") as filler:
                filler.write(b"x" * max(0, status.f_bavail * status.f_frsize - left))
            for arguments in (
                ["init", "--store", os.path.join(disk, "second")],
                ["import", bench.rows, "--deck", "D", "--store", store],
                ["deck", "add", "second", "--store", store],
                ["export", "csv", os.path.join(disk, "out.csv"), "-f", "--store", bench.store],
                ["export", "apkg", os.path.join(disk, "out.apkg"), "-f", "--store", bench.store],
                ["backup", os.path.join(disk, "copy"), "--store", bench.store],
                ["compact", "--store", store], ["rebuild", "--store", store], ["due", "--store", store], ["verify", "--store", store],
            ):
                ending = expect(f"{arguments} with {left} bytes left", run(bench.engram, *arguments), (0, 3))
                if ending.code == 3 and b"disk is full" not in ending.errors:
                    raise Broken(f"{arguments} with {left} bytes left: {ending}")
                count += 1
            os.unlink(os.path.join(disk, "filler"))
            expect("verify", run(bench.engram, "verify", "--store", store))
            decks = json.loads(run(bench.engram, "deck", "list", "--json", "--store", store).out)
            if not any(deck["title"] == "first" for deck in (decks["decks"] if isinstance(decks, dict) else decks)):
                raise Broken("a deck that was acknowledged is gone")
    finally:
        subprocess.run(["umount", "-l", disk])
    return f"{count} runs"


# ---- What comes from outside


def database(path, *statements, rows=()):
    if os.path.exists(path):
        os.unlink(path)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    for statement, values in rows:
        connection.executemany(statement, values)
    connection.commit()
    connection.close()
    return path


def pack(path, conditions, words=200):
    """A pack of questions whose test types have these conditions."""
    return database(
        path, "CREATE TABLE engram_pack (id TEXT, name TEXT, format INTEGER)", "INSERT INTO engram_pack VALUES ('p', 'P', 1)",
        "CREATE TABLE questions (id INTEGER PRIMARY KEY, prompt TEXT)",
        "CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER)",
        "CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT)",
        rows=[
            ("INSERT INTO questions VALUES (?, ?)", [(n, "question " + "x" * 2000 + str(n)) for n in range(words)]),
            ("INSERT INTO options VALUES (?, ?, ?, ?)", [(n, k, f"option {k}", k) for n in range(words) for k in range(2)]),
            ("INSERT INTO test_types VALUES (?, ?, '', ?)", [(f"t{n}", f"T{n}", text) for n, text in enumerate(conditions)]),
        ])


CONDITIONS = [
    "length(zeroblob(1000000000)) > 1", "length(randomblob(1000000000)) > 1", "length(printf('%.*c', 100000000, 'x')) > 1",
    "length(format('%100000000s', 'x')) > 1", "length(replace(prompt, 'x', prompt)) > 1", "length(hex(zeroblob(100000000))) > 1",
    "(SELECT length(group_concat(a.prompt || b.prompt)) FROM questions a, questions b) > 1",
    "(SELECT count(*) FROM (SELECT DISTINCT a.prompt || b.prompt || c.prompt FROM questions a, questions b, questions c)) > 1",
    "(SELECT count(*) FROM (SELECT a.prompt || b.prompt AS p FROM questions a, questions b, questions c ORDER BY p)) > 1",
    "(SELECT max(p) FROM (SELECT a.prompt || b.prompt AS p, count(*) FROM questions a, questions b, questions c GROUP BY a.prompt || b.prompt || c.id)) > 'a'",
    "id IN (SELECT a.id || b.prompt || c.prompt FROM questions a, questions b, questions c)",
    "(WITH RECURSIVE n(x) AS (SELECT prompt UNION ALL SELECT x || x FROM n) SELECT count(*) FROM n) > 1",
    "(WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n) SELECT count(*) FROM n) > 1",
    "(SELECT count(*) FROM questions a, questions b, questions c, questions d, questions e) > 1",
    "(SELECT json_group_array(prompt) FROM questions, questions, questions) > 1",
    "(((" * 2000 + "1" + ")))" * 2000, "1" + " OR 1" * 5000, "prompt LIKE '" + "%x" * 2000 + "'", "prompt GLOB '" + "*x" * 60 + "'",
    "(SELECT count(*) OVER () FROM questions a, questions b, questions c) > 1",
    "(SELECT string_agg(prompt, prompt) FROM questions) > ''", "load_extension('x')", "abs(-9223372036854775808)", "sum(1) > 0",
    "readfile('/etc/passwd') > ''", "(SELECT 1 FROM pragma_table_list) = 1", "prompt || " * 90 + "prompt > ''",
]


def conditions(bench):
    """A pack's conditions: each is refused with a word, or picks questions; none takes the machine."""
    store = bench.fresh()
    refused = 0
    for index, condition in enumerate(CONDITIONS):
        path = pack(bench.path(f"c{index}.db"), [condition])
        ending = expect(condition[:80], run(bench.engram, "pack", "install", path, "--json", "--store", store), (0, 2), memory=250 * MIB, seconds=15)
        if ending.code == 2:
            raise Broken(f"{condition[:80]}: a pack is no worse for one condition: {ending}")
        refused += b'"refused":[{' in ending.out.replace(b" ", b"")
    return f"{len(CONDITIONS)} conditions, {refused} refused"


def sparse(path, size, head=b""):
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)
    return path


def overflow(path):
    """A small database whose long values go round in circles: each says the same pages over and over."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA page_size = 4096")
    connection.execute("CREATE TABLE question (id INTEGER PRIMARY KEY, question TEXT, answer TEXT, wrong1 TEXT)")
    connection.executemany("INSERT INTO question VALUES (?, ?, 'a', 'b')", [(n, "q" * 9000) for n in range(50)])
    connection.commit()
    connection.close()
    with open(path, "rb") as file:
        data = bytearray(file.read())
    # Payload of some 9,000 bytes, as a varint of two bytes, becomes one of four: 30 MB. Each overflow page leads to itself.
    for page in range(1, len(data) // 4096):
        start = page * 4096
        if data[start] not in (2, 5, 10, 13):
            data[start:start + 4] = (page + 1).to_bytes(4, "big")
    with open(path, "wb") as file:
        file.write(data)
    return path


def databases(bench):
    """Foreign databases: journals and files of absurd sizes, wide rows, views, lies about pages."""
    store = bench.fresh()
    count = 0

    def tried(what, path, codes=(2,), says=(), **limits):
        nonlocal count
        for arguments in (["import", path], ["import", path, "--from", "anki"], ["pack", "install", path], ["words", "import", path]):
            expect(f"{what}: {arguments[:2]}", run(bench.engram, *arguments, "--store", store, **limits), codes, says, memory=300 * MIB, seconds=15)
            count += 1

    for suffix in ("-wal", "-journal"):
        path = database(bench.path("journal.db"), "CREATE TABLE notes (id INTEGER PRIMARY KEY, flds TEXT)")
        sparse(path + suffix, 50 << 30, b"\x37\x7f\x06\x82" + b"\0" * 28 if suffix == "-wal" else b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
        tried(f"50 GB {suffix}", path, fsize=1 << 30)
        if os.listdir(tempfile.gettempdir()).count("engram-") > 0:
            raise Broken("a private copy stayed")
        os.unlink(path + suffix)
    header = open(database(bench.path("plain.db"), "CREATE TABLE t (x)"), "rb").read()
    tried("50 GB of zeros", sparse(bench.path("large.db"), 50 << 30, header))
    lie = bytearray(header)
    lie[28:32] = (0xFFFFFFF0).to_bytes(4, "big")
    tried("a page count that lies", bench.write("lie.db", bytes(lie)))
    wide = ", ".join(f"c{n}" for n in range(1900))
    tried("1,900 columns", database(bench.path("wide.db"), f"CREATE TABLE question ({wide})"))
    views = ["CREATE TABLE t (x)", "CREATE VIEW question AS SELECT 1 AS question, 2 AS answer, 3 AS wrong1 FROM t a, t b"]
    for depth in range(30):
        views.append(f"CREATE VIEW v{depth} AS SELECT * FROM {'question' if depth == 0 else f'v{depth - 1}'} a")
    tried("views of views", database(bench.path("views.db"), *views))
    many = database(bench.path("many.db"), *[f"CREATE TABLE t{n} (x)" for n in range(3000)])
    tried("3,000 tables", many)
    tried("values that go round", overflow(bench.path("round.db")), (0, 1, 2))
    blob = database(
        bench.path("blob.db"), "CREATE TABLE question (id INTEGER PRIMARY KEY, question TEXT, answer TEXT, wrong1 TEXT)",
        rows=[("INSERT INTO question VALUES (?, ?, 'a', 'b')", [(1, "x" * (40 * MIB))])])
    expect("a text of 40 MiB", run(bench.engram, "pack", "install", blob, "--store", store), (0, 2), memory=400 * MIB)
    return f"{count} runs"


def bombs(bench):
    """Archives that grow, members without number, nested and endless texts, tables without shape."""
    store = bench.fresh()
    count = 0

    def tried(what, name, content, *commands, codes=(2,), memory=300 * MIB, says=()):
        nonlocal count
        path = bench.write(name, content) if isinstance(content, (bytes, str)) else content(bench.path(name))
        for arguments in commands or (["import"], ["words", "import"], ["pack", "install"]):
            expect(f"{what}: {arguments}", run(bench.engram, *arguments, path, "--store", store), codes, says, memory=memory, seconds=20)
            count += 1
        os.unlink(path)

    def zipped(path, name="collection.anki2", size=2 << 30):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(name, "w", force_zip64=True) as member:
            piece = b"\0" * MIB
            for _ in range(size // MIB):
                member.write(piece)
        return path

    def members(path):
        with zipfile.ZipFile(path, "w") as archive:
            for index in range(70_000):
                archive.writestr(str(index), b"")
        return path

    tried("a zip that grows", "bomb.apkg", zipped, ["import"])
    tried("a zip of 70,000 members", "members.apkg", members, ["import"])
    if shutil.which("zstd"):
        packed = subprocess.run(["zstd", "-q", "-c"], input=b"\0" * (700 * MIB), capture_output=True).stdout
        tried("a zstd that grows", "bomb.anki21b", packed, ["import"])
    squeezed = gzip.compress(b"\0" * (700 * MIB), 9)
    bench.write("d.index", "word\tA\t////////\n00databaseshort\tA\tB\n")
    tried("a gzip that grows", "d.dict.dz", squeezed, ["words", "import"])
    bench.write("e.index", "word\t//////////\t//////////\nother\tA\tzzzzzz\n")
    bench.write("e.dict", "text")
    expect("absurd offsets", run(bench.engram, "words", "import", bench.path("e.index"), "--store", store), (0, 1, 2), memory=100 * MIB)
    tried("a row of 5,000,000 columns", "wide.csv", "," * 5_000_000 + "\n", ["import", "--from", "list"], ["import"], says=["columns"])
    tried("a head of 5,000,000 columns", "head.csv", "card_id,review_time,review_rating" + "," * 5_000_000 + "\n1,2,3\n", ["import"], says=["columns"])
    tried("a quoted field without an end", "quote.csv", 'a,"' + "x" * (3 * MIB), ["import"], says=["quoted"])
    tried("300,000 empty lines", "empty.csv", "\n" * 300_000, ["import"])
    tried("300,000 comments", "comments.csv", "#\n" * 300_000, ["import"])
    if bench.is_long:
        tried("2,100,000 short rows", "rows.csv", "a,b\n" * 2_100_000, ["import"], says=["rows"], memory=400 * MIB)
        tried("2,100,000 rows of one column", "one.csv", "a\n" * 2_100_000, ["import", "--from", "list"], says=["rows"], memory=400 * MIB)
    tried("a list that is too large", "large.csv", lambda path: sparse(path, 3 << 30, b"a,b\n"), ["import"])
    tried("deep JSON", "deep.json", "[" * 5_000_000, ["pack", "install"])
    tried("deep JSON, closed", "closed.json", '{"a":' * 1000 + "1" + "}" * 1000, ["pack", "install"])
    tried("8,000,000 values of JSON", "values.json", "[" + "0," * 8_000_000 + "0]", ["pack", "install"], says=["values"])
    tried("an endless word", "ding.txt", "x" * (3 * MIB) + " :: y\n", ["words", "import"], codes=(0, 1, 2))
    return f"{count} runs"


# ---- What a terminal gets

HIDDEN = (
    [*range(0x01, 0x20), *range(0x7F, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, *range(0x200B, 0x2010),
     *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB, 0x1D173, 0xE0001,
     *range(0xE0020, 0xE0080), 0xE0100])
# A tab stands between the fields of a pipe, and a line's end between lines: those of a text must not look like them.
ALLOWED = {0x09, 0x0A}


def hostile_texts():
    """Texts that hold everything that acts or hides, in pieces that a field takes."""
    yield "evil\x1b[31m\x1b]0;title\x07\x9b31m\r\x08\x7f\u202egnp.exe\u2066\u2028line\u2029\u200bz\ufeff\u00ad\u061c"
    characters = [chr(value) for value in HIDDEN]
    for start in range(0, len(characters), 40):
        yield "x" + "x".join(characters[start:start + 40]) + "x"


def leaks(data):
    """What of `data` acts or hides. Bytes that aren't UTF-8 at all are a leak too: a terminal may take them for C1 controls."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    found = sorted({ord(character) for character in text if ord(character) in set(HIDDEN) - ALLOWED})
    return ", ".join(f"U+{value:04X}" for value in found)


def shown_text(bench):
    """Everything that acts on a terminal or hides, in every field that there is, through every command and message."""
    store = bench.fresh()
    texts = list(hostile_texts())
    count = 0

    def said(*arguments, feed=None, codes=(0, 1, 2, 3)):
        nonlocal count
        ending = run(bench.engram, *arguments, "--store", store, feed=feed)
        if ending.code not in codes:
            raise Broken(f"{arguments}: {ending}")
        for stream, data in (("output", ending.out), ("errors", ending.errors)):
            leaked = leaks(data)
            if leaked:
                raise Broken(f"{arguments}: {stream} holds {leaked}: {data[:300]!r}")
        count += 1
        return ending

    def document(*arguments):
        return json.loads(said(*arguments, "--json", codes=(0,)).out)

    decks, cards = [], []
    for text in texts:
        decks.append(document("deck", "add", text)["id"])
        cards.append(document("card", "add", decks[-1], "--front", text, "--back", text)["id"])
    shown = document("card", "show", cards[0])
    if shown["front"] != texts[0]:
        raise Broken(f"JSON says another text: {shown['front']!r}")
    for text in texts:
        for arguments in (
            ["deck", "show"], ["card", "show"], ["card", "list"], ["timeline"], ["review"], ["words"], ["quiz", "start"], ["pack", "install"],
            ["import"], ["merge"], ["log", "import"], ["favourite", "add"], ["stats"], ["due"], ["scheduler", "set"], ["export"], ["void"],
            ["words", "import"], ["salvage"], ["backup"], ["log", "--type"], ["--now"], ["import", "--from"], ["help"], ["completion"], [],
            ["deck", "add", "x", "--colour"], ["export", "csv"], ["replay", "--scheduler"], ["verify", "--level"], ["erase"], ["migrate"],
        ):
            if "\0" not in text:
                said(*arguments, text.replace("/", "_"))
                said(*arguments, "/nowhere/" + text)
    for deck, card in zip(decks, cards):
        for arguments in (
            ["deck", "show", deck], ["card", "show", card], ["card", "list", deck], ["timeline", card], ["review", card, "good"], ["stats", deck],
            ["practise", card, "again"], ["favourite", "add", card], ["due", deck], ["card", "move", card, deck],
        ):
            said(*arguments)
            said(*arguments, "--json")
    listed = bench.path("hostile.csv")
    with open(listed, "w", newline="") as file:
        csv.writer(file).writerows([text, text, text] for text in texts)
    words = "".join(f"{text} :: {text}\n" for text in texts if "\n" not in text and "\r" not in text)
    hostile = pack(bench.path("hostile.db"), texts[:3])
    connection = sqlite3.connect(hostile)
    for index, text in enumerate(texts):
        connection.execute("UPDATE questions SET prompt = ? WHERE id = ?", (text, index))
        connection.execute("UPDATE options SET text = text || ? WHERE question_id = ?", (text, index))
        connection.execute("INSERT INTO test_types VALUES (?, ?, ?, '')", (text, text, text))
    connection.execute("UPDATE engram_pack SET id = ?, name = ?", (texts[0], texts[0]))
    connection.commit()
    connection.close()
    for arguments in (
        ["import", listed, "--dry-run"], ["import", listed], ["import", bench.write("bad.csv", "front,back,deck\n" + f'"{texts[0]}"x,y\n')],
        ["words", "import", bench.write("hostile.txt", words)], ["pack", "install", hostile], ["pack", "list"], ["quiz", "types"],
        ["quiz", "start", "all", "--seed", "1"], ["quiz", "show"], ["quiz", "answer", "1", "1"], ["quiz", "finish"], ["words", "e"], ["words", "x"],
        ["log"], ["log", "export"], ["deck", "list"], ["card", "list"], ["due"], ["stats"], ["favourite", "list"], ["mistakes", "list"],
        ["verify"], ["replay", "--cards"], ["diff", bench.store], ["scheduler", "show"], ["undo"], ["find", "x"], ["why", cards[0]], ["words", "list"],
    ):
        said(*arguments)
        if arguments != ["log", "export"]:
            said(*arguments, "--json")
    # Names of files that aren't UTF-8 at all.
    raw = bench.path("raw").encode() + b"\x9b31m\xff.csv"
    with open(raw, "wb") as file:
        file.write(b"a,\xff\xfe\x9b31m\n")
    for arguments in ([b"import", raw], [b"deck", b"add", b"\x9b31m\xff"], [b"\x9b\xff"], [b"merge", raw], [b"export", b"csv", raw]):
        said(*[argument for argument in arguments])
    # A store whose own path acts.
    odd = bench.path("store\x1b[31m\u202e")
    for arguments in (["init"], ["due"], ["verify"], ["init"], ["migrate"], ["compact"]):
        ending = run(bench.engram, *arguments, "--store", odd)
        if leaks(ending.out + ending.errors):
            raise Broken(f"{arguments} in a store of an odd name: {ending}")
        count += 1
    return f"{count} runs"


def tables(bench):
    """Cells that a spreadsheet would run are marked, and come back as they were; other programs see them behind an apostrophe."""
    store = bench.fresh()
    seed = random.randrange(1 << 32)
    chooser = random.Random(seed)
    pieces = ["=", "+", "-", "@", "'", '"', "\t", "\r", "\n", " ", ",", ";", "5", "a", "é", "\uff1d", "\uff0d", "\u00a0", "#", "|"]
    texts = ["-5", "=1+1", "'=x", "'tis", "''quoted''", "@home", "\t=x", "+49"]
    texts += ["".join(chooser.choice(pieces) for _ in range(chooser.randrange(1, 6))) for _ in range(60)]
    texts = [text for text in texts if text.strip()]
    deck = json.loads(run(bench.engram, "deck", "add", "--json", "--store", store, "--", "=deck").out)["id"]
    for text in texts:
        expect("card add", run(bench.engram, "card", "add", deck, f"--front={text}", f"--back={text}", "--store", store))
    cards = json.loads(run(bench.engram, "card", "list", "--json", "--store", store).out)
    wanted = {card["id"]: (card["front"], card["back"]) for card in (cards["cards"] if isinstance(cards, dict) else cards)}
    for form in ("csv", "tsv"):
        for raw in ([], ["--raw"]):
            path = bench.path(f"cards.{form}")
            expect("export", run(bench.engram, "export", form, path, "-f", *raw, "--store", store))
            with open(path, newline="") as file:
                rows = list(csv.reader(file, delimiter="," if form == "csv" else "\t"))[1:]
            for row in rows:
                front = wanted[row[3]][0]
                if row[1] not in ((front,) if raw else (front, "'" + front)):
                    raise Broken(f"{front!r} is written as {row[1]!r}, seed {seed}")
                if not raw and (row[1][:1] in ("\t", "\r", "\n") or row[1].lstrip()[:1] in ("=", "+", "-", "@", "\uff1d", "\uff0d")):
                    raise Broken(f"{row[1]!r} would be run, seed {seed}")
            report = json.loads(run(bench.engram, "import", path, *raw, "--json", "--store", store).out)
            if report["cards"] != {"new": 0, "updated": 0, "unchanged": len(wanted)}:
                raise Broken(f"{form} {raw}: {report['cards']}, seed {seed}")
            other = bench.fresh("other")
            expect("import", run(bench.engram, "import", path, *raw, "--store", other))
            found = json.loads(run(bench.engram, "card", "list", "--json", "--store", other).out)
            found = {card["id"]: (card["front"], card["back"]) for card in (found["cards"] if isinstance(found, dict) else found)}
            if found != wanted:
                raise Broken(f"{form} {raw}: other texts came back, seed {seed}")
    return f"{len(wanted)} cards, four ways"


PARTS = [threads, descriptors, memory, file_sizes, full_disk, conditions, databases, bombs, shown_text, tables]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engram")
    parser.add_argument("--long", action="store_true", help="what takes long in a build that isn't optimised, too")
    parser.add_argument("--only", action="append", help="a part, by name", choices=[part.__name__ for part in PARTS])
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="engram-bounds-") as folder:
        bench = Bench(os.path.abspath(options.engram), folder, options.long)
        for part in PARTS:
            if options.only and part.__name__ not in options.only:
                continue
            started = time.monotonic()
            try:
                result = part(bench)
            except Broken as broken:
                failed += 1
                result = f"BROKEN: {broken}"
            print(f"{part.__name__:12} {time.monotonic() - started:6.1f} s  {result}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
