#!/usr/bin/env python3
"""Has Anki itself (PyPI: anki) import what `export apkg` writes, and counts.

    anki_export.py ENGRAM [FILE …]

Makes a store of the bundled history, and one of each FILE (an Anki collection or package, or a list), does what changes
reviews (corrections, undoing, practice, deleting), exports, and imports the package into an empty collection. Cards and
reviews have to be as many as Engram says, with the due days and intervals that it says; and Engram's own import of the
package has to find the same.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile

import anki.collection
import anki.import_export_pb2 as exchange

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLE = os.path.join(ROOT, "tools", "sample", "review-history.csv")
NOW = "2026-11-10T12:00:00+01:00"


class Engram:
    def __init__(self, program, store):
        self.program, self.store = program, store

    def __call__(self, *arguments, text=None, lines=False):
        command = [self.program, *arguments, "--store", self.store, "--now", NOW, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, input=text)
        if done.returncode != 0:
            raise SystemExit(f"engram {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}{done.stdout[-300:]}")
        return [json.loads(line) for line in done.stdout.splitlines()] if lines else json.loads(done.stdout)


def act(engram):
    """What an export has to get right: reviews that don't count as they were written, and texts that need escaping."""
    deck = engram("deck", "add", "Größe::\U0001F600 <b>")["id"]
    engram("card", "add", deck, "--stdin", text='front,back\n"<b>1 & 2</b>","a\nb  c"\nнет,""\n')
    card = engram("card", "list", deck)["cards"][0]["id"]
    review = engram("review", card, "good", "--took", "1500")["event"]
    engram("correct", review, "easy")
    engram("review", card, "again")
    engram("undo")
    engram("practise", card, "hard")
    engram("favourite", "add", card)
    gone = engram("card", "list", deck)["cards"][1]["id"]
    engram("review", gone, "good")
    engram("card", "delete", gone)


def check(condition, message, *facts):
    if not condition:
        raise SystemExit(f"{message}: {' '.join(str(fact) for fact in facts)}")


def compare(engram, package, folder, name):
    told = engram("export", "apkg", package)
    collection = anki.collection.Collection(os.path.join(folder, name + ".anki2"))
    options = exchange.ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True)
    collection.import_anki_package(exchange.ImportAnkiPackageRequest(package_path=package, options=options))
    database = collection.db
    cards = engram("card", "list")["cards"]
    figures = database.first(
        "select (select count() from cards), (select count() from revlog where type < 3), "
        "(select count() from revlog where type = 3), (select count() from revlog where type = 4)")
    expected = [told["cards"], told["reviews"], told["practised"], told["resets"]]
    check(list(figures) == expected, f"{name}: Anki has cards, reviews, practised, resets", figures, "and not", expected)
    check(told["cards"] == len(cards), f"{name}: not all cards were written", told, len(cards))
    check(database.scalar("select count() from revlog where cid not in (select id from cards)") == 0, f"{name}: reviews of no card")

    # Each card by its identity, which is the note's.
    decks = {deck["id"]: deck["title"] for deck in engram("deck", "list")["decks"]}
    rows = database.all("select n.guid, n.flds, c.did, c.type, c.due, c.ivl, c.reps, c.lapses, n.tags from cards c, notes n where n.id = c.nid")
    by_guid = {row[0]: row[1:] for row in rows}
    today = datetime.date.fromisoformat(engram("due")["day"])
    # Anki's clock is today's, ours is NOW: days are told from the collection's first day.
    first = datetime.datetime.fromtimestamp(collection.crt, datetime.timezone(datetime.timedelta(hours=1))).date()
    for card in cards:
        fields, deck, kind, due, interval, reps, lapses, tags = by_guid[card["id"]]
        check(len(fields.split("\x1f")) == 2, f"{name}: not two fields", fields)
        check(collection.decks.name(deck) == decks[card["deck"]].replace('"', " "), f"{name}: deck", collection.decks.name(deck))
        check((reps, lapses) == (card["passed"] + card["failed"], card["failed"]), f"{name}: counters of", card, reps, lapses)
        check(("marked" in tags) == card["favourite"], f"{name}: mark of", card)
        if card["interval_days"] > 0:
            day = first + datetime.timedelta(days=due)
            check((kind, interval, str(day)) == (2, card["interval_days"], card["due"]), f"{name}: standing of", card, kind, interval, day)
        else:
            check(kind == (1 if card["last_reviewed_at"] else 0), f"{name}: kind of", card, kind)
    collection.fix_integrity()
    check(database.scalar("select count() from cards") == told["cards"], f"{name}: Anki's check of the collection took cards away")
    collection.close()

    again = Engram(engram.program, os.path.join(folder, name + "-again"))
    again("init")
    taken = again("import", package)
    check(
        (taken["cards"]["new"], taken["reviews"]["new"], taken["practised"]["new"]) == tuple(expected[:3]),
        f"{name}: Engram's own import finds", taken, "and not", expected)
    sides = lambda store: sorted((" ".join(c["front"].split()), " ".join(c["back"].split())) for c in store("card", "list")["cards"])
    check(sides(engram) == sides(again), f"{name}: texts differ after an export and an import")
    print(f"{name}: Anki and Engram find {figures[0]} cards and {figures[1]} reviews in the package")
    return today


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for number, source in enumerate([SAMPLE] + sys.argv[2:]):
            engram = Engram(program, os.path.join(folder, f"store-{number}"))
            engram("init")
            engram("import", source)
            act(engram)
            compare(engram, os.path.join(folder, f"{number}.apkg"), folder, f"{number}-{os.path.basename(source).split('.')[0]}")


main()
