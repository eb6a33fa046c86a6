#!/usr/bin/env python3
"""Holds engram to an independent fold (fold.py), figure by figure and card by card.

    compare.py ENGRAM FILE... --now INSTANT [--zone Z]

Each file is imported into a store of its own; statistics, replay and every live card must be what fold.py says.
Exits with 1 on the first file that differs, after naming up to ten differences.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time

CARD_KEYS = ("level", "box", "interval_days", "due", "passed", "failed")
HERE = os.path.dirname(os.path.abspath(__file__))


def engram(program, store, *arguments):
    done = subprocess.run([program, *arguments, "--store", store, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"engram {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def fold(path, now, zone):
    command = [sys.executable, os.path.join(HERE, "fold.py"), path, "--now", now, "--zone", zone, "--cards"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"fold.py {path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def milliseconds(instant):
    at = datetime.datetime.fromisoformat(instant)
    return (at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def thirty_days_from(day):
    first = datetime.date.fromisoformat(day)
    return [(first + datetime.timedelta(days=n)).isoformat() for n in range(30)]


def compare(program, path, now, zone, folder):
    store = os.path.join(folder, os.path.basename(path) + ".store")
    engram(program, store, "init")
    engram(program, store, "import", path, "--zone", zone, "--now", now)
    actual = engram(program, store, "stats", "--now", now)
    expected = fold(path, now, zone)
    found = []

    def check(name, left, right):
        if left != right:
            found.append(f"{name}: engram says {left}, the fold says {right}")

    for grade in ("total", "again", "hard", "good", "easy"):
        check(f"reviews.{grade}", actual["reviews"][grade], expected["reviews"][grade])
    check("reviews.pass_rate", actual["reviews"]["pass_rate"], expected["reviews"]["pass_rate"])
    for key in ("practised", "boxes", "hours", "streak", "seconds"):
        check(key, actual[key], expected[key])
    check("cards.total", actual["cards"]["total"], expected["cards"]["total"])
    check("cards.learned", actual["cards"]["learned"], expected["cards"]["learned"])
    check("cards.new", actual["cards"]["new"], expected["cards"]["new"])
    check("cards.deleted", actual["cards"]["deleted"], expected["cards"]["deleted"])
    check("due.total", actual["due"]["total"], expected["due"]["total"])
    check("days", actual["days"], expected["days"])
    check("due.overdue", actual["due"]["overdue"], expected["due"]["overdue"])
    ahead = {day["day"]: day["cards"] for day in expected["due"]["forecast"]}
    forecast = [(day["day"], day["cards"]) for day in actual["due"]["forecast"]]
    check("due.forecast", forecast, [(day, ahead.get(day, 0)) for day in thirty_days_from(expected["day"])])

    cards = engram(program, store, "card", "list")["cards"]
    check("number of live cards", len(cards), expected["cards"]["total"])
    own = sorted(
        (milliseconds(c["last_reviewed_at"]) if c["last_reviewed_at"] else -1, *(c[key] for key in CARD_KEYS)) for c in cards
    )
    theirs = sorted(
        (-1 if c["last_reviewed_ms"] is None else c["last_reviewed_ms"], *(c[key] for key in CARD_KEYS))
        for c in expected["states"].values()
        if c["live"]
    )
    if own != theirs:
        only = [c for c in own if c not in theirs][:3]
        check("cards (last review, level, box, interval, due, passed, failed)", only, [c for c in theirs if c not in own][:3])

    replay = engram(program, store, "replay", "--now", now)
    check("replay.equal", replay["equal"], True)
    check("verify.ok", engram(program, store, "verify")["ok"], True)
    again = engram(program, store, "import", path, "--zone", zone, "--now", now)
    check("imported again: new reviews", again["reviews"]["new"], 0)
    check("imported again: new cards", again["cards"]["new"], 0)
    return found, expected, len(cards)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--now", required=True)
    parser.add_argument("--zone", default="UTC")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files:
            started = time.monotonic()
            found, expected, _ = compare(options.engram, path, options.now, options.zone, folder)
            if found:
                print(f"{os.path.basename(path)}: {len(found)} differences")
                for line in found[:10]:
                    print("  " + line)
                sys.exit(1)
            print(
                f"{os.path.basename(path)}: {expected['reviews']['total']} reviews of {expected['cards']['total']} live cards agree "
                f"({time.monotonic() - started:.1f} s)"
            )


main()
