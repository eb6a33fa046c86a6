#!/usr/bin/env python3
"""Sources of a merge that are damaged, lie, never end or were written to in two places: peers.py ENGRAM [--cases N] [--seed S].

Whatever comes from elsewhere: the store that it is merged into keeps what it has, verifies, and answers others meanwhile; an error
names the source, with exit code 2 where it is damaged; every origin that can be taken is.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import threading
import time

from harness import NOW, Broken, folder, run

PAGE = 4096


def expect(holds, what):
    if not holds:
        raise Broken(what)


class Scene:
    """A store, and another one to merge with it."""

    def __init__(self, engram, scratch):
        self.engram = engram
        self.scratch = scratch
        self.store = os.path.join(scratch, "store")
        self.source = os.path.join(scratch, "source")
        for path, titles in ((self.store, ["own"]), (self.source, ["Words", "More"])):
            self.right("init", store=path)
            for title in titles:
                self.right("deck", "add", title, store=path)
        rows = os.path.join(scratch, "list.csv")
        with open(rows, "w") as file:
            file.writelines(f"front {number},back of number {number}\n" for number in range(400))
        self.right("import", rows, "--deck", "Words", store=self.source)
        card = self.right("card", "list", "Words", store=self.source)["cards"]
        for number in range(40):
            self.right("review", card[number]["id"], "good", store=self.source)
        self.before = self.digest()
        self.saved = os.path.join(scratch, "saved")
        shutil.copytree(self.store, self.saved)

    def run(self, *words, store=None, **options):
        return run(self.engram, *words, "--store", store or self.store, "--now", NOW, **options)

    def right(self, *words, store=None):
        code, out, errors = self.run(*words, "--json", store=store)
        expect(code == 0, f"{' '.join(words)}: exit {code}: {errors}")
        return json.loads(out)

    def digest(self):
        return self.right("replay")["digest"]

    def anew(self):
        shutil.rmtree(self.store)
        shutil.copytree(self.saved, self.store)

    def sound(self, what):
        code, out, errors = self.run("verify", "--json")
        expect(code == 0, f"{what}: the store isn't sound afterwards: {out} {errors}")


def damage(data, dice):
    """One way of hurting a data file."""
    data = bytearray(data)
    pages = len(data) // PAGE
    page = dice.randrange(pages) * PAGE
    way = dice.randrange(7)
    if way == 0:
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif way == 1:
        data[page + dice.randrange(24)] ^= 1 << dice.randrange(8)
    elif way == 2:
        data[page:page + PAGE] = bytes(PAGE)
    elif way == 3:
        data[page:page + PAGE] = dice.randbytes(PAGE)
    elif way == 4:
        other = dice.randrange(pages) * PAGE
        data[page:page + PAGE], data[other:other + PAGE] = data[other:other + PAGE], data[page:page + PAGE]
    elif way == 5:
        del data[dice.randrange(len(data)):]
    else:
        start = dice.randrange(len(data))
        data[start:start + 64] = dice.randbytes(len(data[start:start + 64]))
    return bytes(data)


def damaged_sources(scene, dice, cases):
    """A damaged source is named with its place and exit code 2, or does no harm."""
    path = os.path.join(scene.source, "data.mdb")
    with open(path, "rb") as file:
        whole = file.read()
    refused = harmless = aside = 0
    try:
        for number in range(cases):
            hurt = damage(whole, dice)
            with open(path, "wb") as file:
                file.write(hurt)
            for name in ("lock.mdb",):
                if os.path.exists(os.path.join(scene.source, name)):
                    os.remove(os.path.join(scene.source, name))
            code, out, errors = scene.run("merge", scene.source, "--json")
            what = f"damaged source {number}: exit {code}: {out} {errors}"
            expect(code in (0, 1, 2), what)
            if code == 2:
                refused += 1
                expect(scene.source in errors, what)
                expect(scene.store not in errors, what)
                expect(scene.digest() == scene.before, what + ": the store changed")
            else:
                report = json.loads(out)
                harmless += 1
                aside += report["held_aside"] > 0
                scene.sound(what)
                scene.anew()
    finally:
        with open(path, "wb") as file:
            file.write(whole)
    print(f"{cases} damaged sources: {refused} refused, {harmless} without effect, of those {aside} with commits held aside")


def damaged_lines(scene, dice, cases):
    """The same for lines: an error has the number of one."""
    _, out, _ = scene.run("log", "export", store=scene.source)
    whole = out.encode()
    path = os.path.join(scene.scratch, "lines.ndjson")
    refused = 0
    for number in range(cases):
        hurt = bytearray(whole)
        start = dice.randrange(len(hurt))
        if dice.randrange(3) == 0:
            lines = bytes(hurt).split(b"\n")
            first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            hurt = b"\n".join(lines)
        elif dice.randrange(2) == 0:
            hurt[start] = dice.randrange(256)
        else:
            del hurt[start:start + dice.randrange(400)]
        with open(path, "wb") as file:
            file.write(hurt)
        code, out, errors = scene.run("log", "import", path, "--json")
        what = f"damaged lines {number}: exit {code}: {out} {errors}"
        expect(code in (0, 1, 2), what)
        if code == 2:
            refused += 1
            expect(path in errors and "line " in errors, what)
            expect(scene.digest() == scene.before, what + ": the store changed")
        else:
            scene.sound(what)
            scene.anew()
    print(f"{cases} damaged files of lines: {refused} refused")


def slow_input(scene):
    """While an import waits for its input, others act."""
    waiting = subprocess.Popen(
        [scene.engram, "log", "import", "-", "--store", scene.store, "--now", NOW, "--json"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, lines, _ = scene.run("log", "export", store=scene.source)
    lines = lines.encode()
    waiting.stdin.write(lines[:len(lines) // 2])
    waiting.stdin.flush()
    time.sleep(0.5)
    expect(waiting.poll() is None, "the import ended before its input did")
    for number in range(3):
        code, _, errors = scene.run("deck", "add", f"meanwhile {number}", timeout=20)
        expect(code == 0, f"an action beside a waiting import: exit {code}: {errors}")
    out, errors = waiting.communicate(lines[len(lines) // 2:], timeout=60)
    expect(waiting.returncode == 0, f"the import: exit {waiting.returncode}: {errors}")
    expect(json.loads(out)["events"]["new"] == lines.count(b"\n"), "the import took all")
    scene.sound("an import that waited")
    scene.anew()
    # One that is given up has changed nothing.
    waiting = subprocess.Popen(
        [scene.engram, "log", "import", "-", "--store", scene.store, "--now", NOW], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    waiting.stdin.write(lines[:len(lines) // 2])
    waiting.stdin.flush()
    time.sleep(0.2)
    waiting.kill()
    waiting.wait()
    waiting.stdin.close()
    expect(scene.digest() == scene.before, "an import that was killed while it waited changed something")
    print("a pipe that is held open: others act meanwhile")


def long_lines(scene):
    """A line of 100 MB fails fast, in little memory; so does one of many values, and many lines are read in linear time."""
    def limited():
        resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20))

    def feed(pieces):
        started = time.monotonic()
        process = subprocess.Popen(
            [scene.engram, "log", "import", "-", "--store", scene.store, "--now", NOW], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited)

        def write():
            try:
                for piece in pieces:
                    process.stdin.write(piece)
                process.stdin.close()
            except BrokenPipeError:
                pass

        writer = threading.Thread(target=write)
        writer.start()
        errors = process.stderr.read().decode(errors="replace")
        code = process.wait()
        writer.join()
        return code, errors, time.monotonic() - started

    for what, pieces in (
        ("a line of 100 MB", (b"x" * (1 << 20) for _ in range(100))),
        ("a line of 100 MB that begins well", (b'{"event":"' if number == 0 else b"0" * (1 << 20) for number in range(100))),
        ("a line of 7 million values", iter([b'{"event":[' + b"0," * (7 << 20) + b"0]}\n"])),
        ("a line that is nested deeply", iter([b"[" * 200_000 + b"\n"])),
    ):
        code, errors, seconds = feed(pieces)
        expect(code == 2 and "line 1" in errors, f"{what}: exit {code}: {errors}")
        expect(seconds < 60, f"{what}: {seconds:.1f} s")
    code, errors, seconds = feed(b"\n" * (1 << 20) for _ in range(8))
    expect(code == 0, f"empty lines: exit {code}: {errors}")
    expect(seconds < 120, f"8 million empty lines: {seconds:.1f} s")
    expect(scene.digest() == scene.before, "long lines changed the store")
    print("lines that are too long are refused, in little memory")


def forks(scene):
    """A store whose data file was put back and that both went on: that origin is told, all others come in."""
    copy = os.path.join(scene.scratch, "copy")
    os.mkdir(copy)
    data, saved = os.path.join(scene.source, "data.mdb"), os.path.join(scene.scratch, "earlier.mdb")
    shutil.copyfile(data, saved)
    scene.right("deck", "add", "one way", store=scene.source)
    scene.right("merge", scene.source)
    with open(saved, "rb") as old, open(data, "r+b") as file:  # into the same file, so that it isn't known for a copy
        file.truncate()
        file.write(old.read())
    scene.right("deck", "add", "another way", store=scene.source)
    third = os.path.join(scene.scratch, "third")
    scene.right("init", store=third)
    scene.right("deck", "add", "of a third", store=third)
    scene.right("merge", third, store=scene.source)
    for again in range(2):
        code, out, errors = scene.run("merge", scene.source, "--json")
        report = json.loads(out)
        expect(code == 1 and len(report["refused"]) == 1 and report["refused"][0]["origin"] in errors, f"a fork: {code} {out} {errors}")
        expect(report["events"]["new"] == (1 if again == 0 else 0), f"a fork: {out}")
    titles = [deck["title"] for deck in scene.right("deck", "list")["decks"]]
    expect("of a third" in titles and "one way" in titles and "another way" not in titles, f"a fork: {titles}")
    scene.sound("a fork")
    print("a fork: told, and all other origins taken")


def itself(scene):
    """A store merged with itself, its own export, twice, out of order, in mixtures."""
    scene.right("merge", scene.source)
    whole = scene.digest()
    expect(scene.right("merge", scene.store)["events"]["new"] == 0, "merged with itself")
    _, out, _ = scene.run("log", "export")
    path = os.path.join(scene.scratch, "export.ndjson")
    for text in (out, out + out, "".join(line + "\n" + line + "\n" for line in out.splitlines() if '"events":1,' in line)):
        with open(path, "w") as file:
            file.write(text)
        code, printed, errors = scene.run("log", "import", path, "--json")
        expect(code == 0 and json.loads(printed)["events"]["new"] == 0, f"its own export: {code} {printed} {errors}")
    empty = os.path.join(scene.scratch, "empty")
    scene.right("init", store=empty)
    with open(path, "w") as file:
        file.write(out + out)
    report = scene.right("log", "import", path, store=empty)
    expect(report["digest"] == whole and report["events"]["new"] == report["events"]["known"], f"an export twice: {report}")
    with open(path, "w") as file:
        file.write("".join(reversed(out.splitlines(keepends=True))))
    other = os.path.join(scene.scratch, "other")
    scene.right("init", store=other)
    code, _, errors = scene.run("log", "import", path, store=other)
    expect(code == 2 and "line " in errors, f"an export backwards: {code} {errors}")
    print("a store with itself, and its own export")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    try:
        for part in (lambda s: damaged_sources(s, dice, options.cases), lambda s: damaged_lines(s, dice, options.cases), slow_input,
                     long_lines, forks, itself):
            with folder() as scratch:
                part(Scene(os.path.abspath(options.engram), scratch))
    except Broken as broken:
        print(f"seed {options.seed}: {broken}")
        sys.exit(1)
    print(f"seed {options.seed}: 0 promises broken")


if __name__ == "__main__":
    main()
