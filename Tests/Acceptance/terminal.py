#!/usr/bin/env python3
"""Drives engram in a real terminal (tmux) key by key, and looks at what stands on the screen.

    terminal.py ENGRAM

Every screen is checked at 80 x 24 and in narrower windows: no line may be wider than the window, wide characters and
right-to-left text must come through unbroken, and what the keys did must be in the log afterwards.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

NOW = "2026-03-01T12:00:00+00:00"


def width(text):
    """Columns of a text, by the properties of its characters: another count than the program's own."""
    columns = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns


class Terminal:
    """A window of tmux in which one command runs."""

    count = 0

    def __init__(self, folder, command, columns=80, rows=24, environment=None):
        # A server of its own for each: one that is going away takes no new window.
        Terminal.count += 1
        self.socket = os.path.join(folder, f"tmux-{Terminal.count}")
        self.columns, self.rows = columns, rows
        variables = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **(environment or {})}
        settings = " ".join(f"{name}='{value}'" for name, value in variables.items())
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), f"{settings} {command}; echo \"[exit $?]\"; sleep 600")

    def tmux(self, *arguments):
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", self.socket, *arguments], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise SystemExit(f"tmux {arguments}: {done.stderr}")
        return done.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p").split("\n")

    def press(self, *keys):
        for key in keys:
            self.tmux("send-keys", key)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def until(self, *texts, without=()):
        """Waits until all of the texts are on the screen, and returns its lines."""
        deadline = time.monotonic() + 30
        while True:
            lines = self.screen()
            joined = "\n".join(lines)
            # As one line too: where a line breaks is a matter of the width.
            found = joined + "\n" + " ".join(" ".join(lines).split())
            if all(text in found for text in texts) and not any(text in joined for text in without):
                for line in lines:
                    assert width(line) <= self.columns, f"wider than {self.columns}: {line!r}"
                return lines
            if time.monotonic() > deadline:
                raise SystemExit(f"expected {texts} (without {without}) on the screen:\n" + joined)
            time.sleep(0.02)

    def shell(self):
        """The processes that the window's shell has started, and whether its terminal hands over lines and shows what is typed."""
        shell, device = self.tmux("display-message", "-p", "#{pane_pid} #{pane_tty}").split()
        rows = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.split("\n")
        children = [int(row.split()[0]) for row in rows if row.split()[1:] == [shell]]
        with open(device) as tty:
            flags = termios.tcgetattr(tty)[3]
        return children, bool(flags & termios.ICANON and flags & termios.ECHO)

    def close(self):
        self.tmux("kill-server")


class Store:
    def __init__(self, engram, folder):
        self.engram, self.path = engram, os.path.join(folder, "store")
        self("init")

    def __call__(self, *arguments):
        done = subprocess.run(
            [self.engram, *arguments, "--store", self.path, "--json", "--now", NOW], capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return json.loads(done.stdout)

    def reviews(self):
        return self("stats")["reviews"]

    def verify(self):
        assert self("verify")["ok"]


LONG = "勉強する、日本語を勉強するのはとても楽しいですから毎日勉強しています。そして本を読みます"
HEBREW = "שלום עולם, כרטיס ארוך מאוד שאינו נכנס לשורה אחת של חלון צר"


def study(engram, columns, rows):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(engram, folder)
        for title in ("Spanish", "日本語"):
            store("deck", "add", title)
        for number in range(3):
            store("card", "add", "Spanish", "--front", f"la casa {number}", "--back", f"the house {number}")
        store("card", "add", "日本語", "--front", LONG, "--back", HEBREW)
        command = f"'{engram}' study --store '{store.path}' --now {NOW}"

        # The list of decks; the second one alone is picked.
        terminal = Terminal(folder, command, columns, rows)
        terminal.until("What is due", "All decks", "Spanish", "日本語")
        terminal.press("Down", "Down", "Space", "Enter")
        lines = terminal.until("日本語", "0 done, 1 left", "any key")
        body = "".join(line.strip() for line in lines)
        assert LONG in body, f"broken: {lines}"
        terminal.press("x")
        lines = terminal.until("1 Again today", "4 Easy 3 days", "שלום")
        shown = " ".join(line.strip() for line in lines)
        assert HEBREW in shown, f"broken: {lines}"
        # A window that becomes narrower keeps everything, on more lines.
        terminal.resize(24, 40)
        lines = terminal.until("4 Easy 3 days", "2 Hard today")
        assert LONG in "".join(line.strip() for line in lines)
        terminal.resize(columns, rows)
        # Failed: it comes back; undone: it is there again.
        terminal.press("1")
        terminal.until("1 done, 1 left", "any key")
        terminal.press("u")
        terminal.until("0 done, 1 left", "took back")
        terminal.press("x", "3")
        terminal.until("1 answer to 1 card", "1 good", "3 cards still due", "[exit 0]")
        terminal.close()
        assert store.reviews()["good"] == 1 and store.reviews()["total"] == 1

        # Everything that is left; a favourite, an edit, and a broken-off session that goes on.
        terminal = Terminal(folder, command.replace(" study ", " study Spanish "), columns, rows)
        terminal.until("Spanish", "0 done, 3 left", "la casa")
        terminal.press("f")
        terminal.until("★ favourite", "a favourite now")
        terminal.press("e")
        terminal.until("Front", "enter accepts")
        terminal.press("BSpace")
        terminal.type("9 ñандú 猫")
        terminal.press("Enter")
        terminal.until("Back", "the house")
        terminal.press("Home")
        terminal.type("→ ")
        terminal.press("Enter")
        terminal.until("la casa 9 ñандú 猫", "changed the card")
        terminal.press("x")
        terminal.until("→ the house", "3 Good 3 days")
        terminal.press("4")
        terminal.until("1 done, 2 left")
        terminal.press("x")
        terminal.until("the house", "3 Good 3 days")
        terminal.press("C-c")
        terminal.until("nothing is lost", "[exit 0]")
        terminal.close()
        terminal = Terminal(folder, command, columns, rows)
        terminal.until("going on with the session", "1 done, 2 left")
        terminal.press("x", "2")
        terminal.until("2 done")
        terminal.press("q")
        terminal.until("2 answers to 2 cards", "[exit 0]")
        terminal.close()
        reviews = store.reviews()
        assert (reviews["total"], reviews["good"], reviews["easy"], reviews["hard"]) == (3, 1, 1, 1), reviews
        favourites = store("favourite", "list")["items"]
        assert [item["text"] for item in favourites] == ["la casa 9 ñандú 猫"], favourites

        # A killed terminal loses nothing either.
        terminal = Terminal(folder, command.replace(" study ", " study --new "), columns, rows)
        terminal.until("Spanish", "0 done, 2 left")
        terminal.press("x", "3")
        terminal.until("1 done, 1 left")
        terminal.close()
        assert store.reviews()["total"] == 4

        # Free learn changes no figure.
        before = store("stats")
        terminal = Terminal(folder, command.replace(" study ", " study Spanish --free "), columns, rows)
        terminal.until("free learn", "0 done, 3 left") if columns >= 60 else terminal.until("0 done, 3 left")
        for number in range(3):
            terminal.press("x")
            lines = terminal.until("1 Again", "4 Easy")
            assert not any("days" in line for line in lines)
            terminal.press("3")
        terminal.until("3 answers to 3 cards", "[exit 0]")
        terminal.close()
        after = store("stats")
        assert after["practised"] == 3
        after["practised"] = before["practised"]
        assert after == before
        store.verify()


def ended(engram):
    """A signal that asks to end, and one that a damaged file can cause: the terminal is given back, and nothing is lost."""
    for number, said, code in ((signal.SIGTERM, "nothing is lost", 128 + signal.SIGTERM), (signal.SIGBUS, "can't be read", 3)):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(engram, folder)
            store("deck", "add", "D")
            for front in "abc":
                store("card", "add", "D", "--front", front, "--back", "b")
            terminal = Terminal(folder, f"'{engram}' study --store '{store.path}' --now {NOW}")
            terminal.until("0 done, 3 left")
            terminal.press("x", "3")
            terminal.until("1 done, 2 left")
            children, is_cooked = terminal.shell()
            assert len(children) == 1 and not is_cooked, (children, is_cooked)
            os.kill(children[0], number)
            terminal.until(said, f"[exit {code}]", without=("left",))
            assert terminal.shell()[1], "the terminal wasn't given back"
            terminal.close()
            assert store.reviews()["total"] == 1
            store.verify()


def pack(folder):
    """A pack of three questions about the stress of Russian words, and one with four options in Greek and Hebrew."""
    path = os.path.join(folder, "stress.json")
    questions = [
        {"question": "звонит", "options": ["звони́т", "зво́нит"], "answer": "звони́т"},
        {"question": "торты", "options": ["то́рты", "торты́"], "answer": "то́рты"},
        {"question": "Ποιο είναι; " + HEBREW, "options": ["ένα", "δύο", "τρία", "שלום"], "answer": "τρία"},
    ]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(questions, file, ensure_ascii=False)
    return path


RIGHT = {"звонит": "звони́т", "торты": "то́рты", "Ποιο": "τρία"}


def chosen(lines, wanted_right):
    """The key of an option that is right, or wrong, as the screen shows them now."""
    shown = "\n".join(lines)
    right = next(value for word, value in RIGHT.items() if word in shown)
    options = [line.split(None, 1) for line in lines if line[:1].isdigit() and line[1:2] == " "]
    return next(number for number, text in options if (text.strip() == right) == wanted_right)


def quiz(engram, columns, rows):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(engram, folder)
        store("pack", "install", pack(folder), "--name", "stress")
        command = f"'{engram}' quiz --store '{store.path}' --now {NOW}"
        terminal = Terminal(folder, command, columns, rows)
        lines = terminal.until("Tests", "enter begins")
        # Mistakes and favourites are empty and can't be begun: the arrow passes them by.
        terminal.press("Down", "Down", "Enter")
        lines = terminal.until("1 of 3, 0 right", "1 to ")
        terminal.press("f")
        terminal.until("★ favourite", "a favourite now")
        terminal.press(chosen(terminal.screen(), False))
        lines = terminal.until("wrong", "✗", "✓")
        terminal.press("Space")
        terminal.until("2 of 3, 0 right", without=("wrong",))
        # Taken back, the first one is asked again; the second time it is right, and the screen goes on by itself.
        terminal.press("u")
        lines = terminal.until("1 of 3, 0 right", "took back")
        terminal.press(chosen(lines, True))
        terminal.until("right", "✓", without=("✗",))
        terminal.until("2 of 3, 1 right")
        terminal.press("q")
        terminal.until("Nothing is lost", "[exit 0]")
        terminal.close()
        # It goes on where it was, also in a window of another size.
        terminal = Terminal(folder, command, 34, 20)
        lines = terminal.until("going on with the test", "2 of 3, 1 right")
        terminal.press(chosen(lines, True))
        terminal.until("✓")
        terminal.press("Space")
        lines = terminal.until("3 of 3, 2 right")
        terminal.press(chosen(lines, False))
        terminal.until("wrong", "✗")
        terminal.press("Space")
        terminal.until("2 of 3 right", "mark 3", "[exit 0]")
        terminal.close()
        mistakes = store("mistakes", "list")["items"]
        favourites = store("favourite", "list")["items"]
        assert len(mistakes) == 1 and mistakes[0]["count"] == 1, mistakes
        assert len(favourites) == 1, favourites
        store.verify()


def without_terminal(engram):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(engram, folder)
        store("deck", "add", "D")
        store("card", "add", "D", "--front", "a", "--back", "b")
        done = subprocess.run([engram, "study", "--store", store.path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 2 and "needs a terminal" in done.stderr and done.stdout == "", done


def main():
    engram = os.path.abspath(sys.argv[1])
    for columns, rows in ((80, 24), (40, 24), (26, 30)):
        study(engram, columns, rows)
        quiz(engram, columns, rows)
        print(f"study and quiz at {columns} x {rows}: right")
    ended(engram)
    without_terminal(engram)
    print("ended by signals, and without a terminal: right")


if __name__ == "__main__":
    main()
