#!/usr/bin/env python3
"""Makes a store with something of everything, to be opened by every later version.

    make.py ENGRAM FOLDER [STORE]

It is run once, by the last program of a format: FOLDER gets the store's data file, all events in their open form, and what the
program answered then. Later programs are held to that. It is kept as the account of how the stores beside it were made:
`format-1` by this script alone; `format-2` from a STORE that the tests of version 0.1 left with `ENGRAM_FREEZE=…`, since some events
are made by Swift calls only (`FixedHistory.swift`).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

QUESTIONS = [
    {"question": "звонит", "options": ["звони́т", "зво́нит"], "answer": "звони́т"},
    {"question": "торты", "options": ["то́рты", "торты́"], "answer": "то́рты"},
    {"question": "der, die, das … Haus", "options": ["der", "die", "das"], "answer": "das"},
]
ANSWERS = (["stats"], ["deck", "list"], ["card", "list"], ["due"], ["favourite", "list"], ["mistakes", "list"], ["pack", "list"],
           ["scheduler", "show"])
LATER = "2024-06-01T12:00:00+00:00"


def keep(store, engram, folder, run):
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(store, "data.mdb"), os.path.join(folder, "data.mdb"))
    with open(os.path.join(folder, "events.ndjson"), "w", encoding="utf-8") as file:
        file.write(run(store, "log", "export", lines=True))
    said = {" ".join(command): run(store, *command, now=LATER) for command in ANSWERS}
    said["program"] = subprocess.run([engram, "--version"], capture_output=True, text=True).stdout.strip()
    with open(os.path.join(folder, "answers.json"), "w", encoding="utf-8") as file:
        json.dump(said, file, ensure_ascii=False, indent=1, sort_keys=True)
        file.write("\n")


def main():
    engram, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    scratch = tempfile.mkdtemp()
    minute = 0

    def run(store, *arguments, now=None, text=None, lines=False):
        nonlocal minute
        minute += 7
        moment = now or f"2024-03-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00+01:00"
        done = subprocess.run([engram, *arguments, "--store", store, "--json", "--now", moment], input=text, capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout if lines else json.loads(done.stdout)

    store, other = os.path.join(scratch, "store"), os.path.join(scratch, "other")
    if len(sys.argv) > 3:
        return keep(sys.argv[3], engram, folder, run)
    run(store, "init")
    spanish = run(store, "deck", "add", "Spanish", "--colour", "red")["id"]
    greek = run(store, "deck", "add", "Ελληνικά 日本語 עברית")["id"]
    cards = [run(store, "card", "add", spanish, "--front", f"la casa {n}", "--back", f"the house {n}")["id"] for n in range(6)]
    cards.append(run(store, "card", "add", greek, "--front", "η θάλασσα\nτης", "--back", "")["id"])
    run(store, "deck", "rename", spanish, "Español")
    run(store, "deck", "recolour", spanish, "#1e88e5")
    answers = [run(store, "review", card, grade, "--took", str(900 * (n + 1)))["event"]
               for n, (card, grade) in enumerate(zip(cards * 3, ["good", "again", "easy", "hard", "good", "good", "easy"] * 3))]
    run(store, "void", answers[3])
    run(store, "correct", answers[5], "again")
    run(store, "practise", cards[0], "hard")
    run(store, "card", "edit", cards[1], "--back", "the little house")
    run(store, "card", "move", cards[2], greek)
    run(store, "card", "delete", cards[3])
    run(store, "card", "delete", cards[4])
    run(store, "card", "restore", cards[4])
    run(store, "favourite", "add", cards[0])
    run(store, "favourite", "toggle", cards[1])
    run(store, "favourite", "remove", cards[1])
    run(store, "scheduler", "set", "boxes:count=6,first=2,multiplier=5/2")
    run(store, "review", cards[0], "good")
    pack = os.path.join(scratch, "stress.json")
    with open(pack, "w", encoding="utf-8") as file:
        json.dump(QUESTIONS, file, ensure_ascii=False)
    run(store, "pack", "install", pack, "--name", "stress")
    quiz = run(store, "quiz", "start", "all", "--seed", "7")
    for number in (1, 2, 3):
        run(store, "quiz", "answer", str(number), "1")
    run(store, "quiz", "finish")
    # A second device, with a clock that is two days ahead at times, and an import; then all in one.
    run(other, "init")
    deck = run(other, "deck", "add", "Imported")["id"]
    listed = os.path.join(scratch, "list.csv")
    with open(listed, "w", encoding="utf-8") as file:
        file.write("front,back\n" + "".join(f"word {n},meaning {n}\n" for n in range(20)))
    run(other, "import", listed, "--deck", "Imported")
    for card in run(other, "card", "list", "Imported")["cards"][:8]:
        run(other, "review", card["id"], "good")
    log = os.path.join(scratch, "reviews.csv")
    with open(log, "w", encoding="utf-8") as file:
        file.write("card_id,review_time,review_rating,review_state,review_duration\n")
        for n in range(60):
            file.write(f"{n % 9},{1700000000000 + n * 86400000 // 3},{1 + n % 4},{2},{1000 + n}\n")
    run(other, "import", log, "--zone", "Europe/Berlin")
    run(other, "card", "add", deck, "--front", "tomorrow", "--back", "too early", now="2024-03-20T12:00:00+00:00")
    run(store, "merge", other)
    run(store, "undo")
    run(store, "rebuild")
    run(store, "card", "add", greek, "--front", "after the checkpoint", "--back", "still there")
    keep(store, engram, folder, run)
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
