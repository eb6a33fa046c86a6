#!/usr/bin/env python3
"""An independent fold: what Engram must say about a history of reviews, derived another way.

It is written from the rules alone, shares no code with Engram, and needs nothing but Python 3's standard library
(and the `zstd` program for Anki's newest packages). It reads

  * a table of reviews in the FSRS columns (card_id, review_time, review_rating, review_state, review_duration), or
  * an Anki collection or package (.anki2, .anki21, .anki21b, .apkg, .colpkg),

replays every review in order, and prints the expected statistics as one JSON document. `compare.py` holds Engram to it.

The rules, as they are read here:

  study day   the local calendar day of the review's wall time minus the rollover hour (03:59 is still yesterday at 4)
  hour        the local hour of the review's wall time; the rollover does not move it
  level       half steps: Again 0; Hard -2, not below 0; Good +2; Easy +3
  box         min(level // 2, 7)
  interval    0 for box level n = 0, else ceil(3 * (41/20)^(n-1)) days, at most 36,500
  due         study day of the last scheduled review + interval; a card that was never reviewed is due on the day it was made
  due.total   live cards whose due day is today or earlier; overdue: earlier than today; forecast: today and later, by day
  streak      runs of consecutive study days with a scheduled review; the current one ends today or yesterday
  seconds     milliseconds are added up first, then divided by 1000, rounded down: once a day for a day, once for the total
  practised   counted apart; it touches no level, day, hour, streak or second
  held        a review more than 24 hours ahead of now is held back: it counts nowhere
"""

import argparse
import csv
import datetime as dt
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
import zoneinfo
from fractions import Fraction

GRADES = ("again", "hard", "good", "easy")
DAY_MS = 86_400_000
MAXIMUM_TOOK_MS = 86_400_000
MAXIMUM_INTERVAL_DAYS = 36_500
EPOCH = dt.date(1970, 1, 1)


class Review:
    """One answer: when (wall milliseconds), of which card, with which grade, and how long it took."""

    __slots__ = ("card", "at_ms", "kind", "grade", "took_ms")

    def __init__(self, card, at_ms, kind, grade, took_ms):
        self.card = card
        self.at_ms = at_ms
        self.kind = kind  # "review", "practice" or "reset"
        self.grade = grade
        self.took_ms = took_ms


class History:
    """What a file holds: its reviews in order, the cards that live, and the rows that say nothing of a review."""

    def __init__(self):
        self.reviews = []
        self.live = {}  # card -> when it was made, in wall milliseconds
        self.skipped = {}

    def skip(self, reason):
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


# -- Reading ----------------------------------------------------------------------------------------------------------


def milliseconds(text):
    """Epoch milliseconds, or an ISO 8601 time with its offset."""
    text = text.strip()
    if text.lstrip("-").isdigit():
        return int(text)
    moment = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        raise ValueError(f"a time without an offset: {text}")
    since = moment - dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
    return since // dt.timedelta(milliseconds=1)


def took(value):
    """A duration that makes sense, or nothing."""
    if value is None or value == "":
        return None
    value = int(value)
    return value if 0 <= value <= MAXIMUM_TOOK_MS else None


def read_fsrs_table(path):
    history = History()
    seen = set()
    with open(path, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            card, at_ms = row["card_id"], milliseconds(row["review_time"])
            grade = int(row["review_rating"])
            state = row.get("review_state")
            if (card, at_ms) in seen:
                history.skip("duplicate")
                continue
            seen.add((card, at_ms))
            history.live[card] = min(at_ms, history.live.get(card, at_ms))
            if grade == 0 or (state not in (None, "") and int(state) == 5):
                history.skip("manual")
            elif not 1 <= grade <= 4:
                history.skip("grade")
            else:
                history.reviews.append(Review(card, at_ms, "review", grade, took(row.get("review_duration"))))
    history.reviews.sort(key=lambda review: review.at_ms)
    return history


def anki_database(path, folder):
    """The path of the SQLite file that an Anki file is, or holds: the newest generation that is there."""
    if not zipfile.is_zipfile(path):
        copy = os.path.join(folder, "collection.db")
        shutil.copyfile(path, copy)
        return copy
    with zipfile.ZipFile(path) as package:
        names = package.namelist()
        name = next(n for n in ("collection.anki21b", "collection.anki21", "collection.anki2") if n in names)
        data = package.read(name)
    if name.endswith("b"):
        if shutil.which("zstd") is None:
            raise SystemExit("fold.py: the zstd program is needed to read this package")
        data = subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout
    copy = os.path.join(folder, "collection.db")
    with open(copy, "wb") as file:
        file.write(data)
    return copy


def scheduler_version(database):
    """1 for collections from before Anki's second scheduler, whose learning buttons were numbered 1 to 3."""
    tables = {name for (name,) in database.execute("select name from sqlite_master where type = 'table'")}
    if "config" in tables:
        row = database.execute("select val from config where \"KEY\" = 'schedVer'").fetchone()
        return int(row[0]) if row else 1
    configuration = json.loads(database.execute("select conf from col").fetchone()[0] or "{}")
    return int(configuration.get("schedVer", 1))


def read_anki(path, manual):
    history = History()
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(anki_database(path, folder))
        first_version = scheduler_version(database) == 1
        # A card is numbered by the millisecond in which it was made, and shows fields of its note: without one there is none.
        # Where that lies after the card's last change, somebody has set the number, and the note's tells more.
        cards = "select id, nid, mod * 1000, nid in (select id from notes) from cards order by id"
        for card, note, changed_ms, has_note in database.execute(cards):
            if card > 0 and has_note:
                history.live[str(card)] = card if card <= changed_ms + DAY_MS else note
            else:
                history.skip("card")
        rows = database.execute("select id, cid, ease, factor, time, type from revlog order by id").fetchall()
        database.close()
    for at_ms, card, ease, factor, time, kind in rows:
        card = str(card)
        if kind == 4 and ease == 0 and factor == 0 and manual == "reset":
            history.reviews.append(Review(card, at_ms, "reset", None, None))
            continue
        if kind in (4, 5) or ease == 0:
            history.skip("manual")
            continue
        if kind not in (0, 1, 2, 3):
            history.skip("type")
            continue
        if first_version and kind in (0, 2) and ease in (2, 3):
            ease += 1
        if not 1 <= ease <= 4:
            history.skip("grade")
            continue
        practice = kind == 3 and factor == 0
        history.reviews.append(Review(card, at_ms, "practice" if practice else "review", ease, took(time)))
    return history


def read(path, manual="reset"):
    if path.endswith((".csv", ".tsv")):
        return read_fsrs_table(path)
    return read_anki(path, manual)


# -- Folding ----------------------------------------------------------------------------------------------------------


def interval_days(half_steps, first=3, multiplier=Fraction(41, 20)):
    steps = half_steps // 2
    if steps == 0:
        return 0
    exact = Fraction(first)
    for _ in range(steps - 1):
        exact *= multiplier
        if exact >= MAXIMUM_INTERVAL_DAYS:
            return MAXIMUM_INTERVAL_DAYS
    return min(-(-exact.numerator // exact.denominator), MAXIMUM_INTERVAL_DAYS)


class Card:
    __slots__ = ("half_steps", "due", "passed", "failed", "last_ms", "last_day")

    def __init__(self):
        self.half_steps = 0
        self.due = None
        self.passed = 0
        self.failed = 0
        self.last_ms = None
        self.last_day = None

    def answer(self, grade, at_ms, day):
        if grade == 1:
            self.half_steps = 0
            self.failed += 1
        else:
            self.half_steps = max(0, self.half_steps + {2: -2, 3: 2, 4: 3}[grade])
            self.passed += 1
        self.last_ms = at_ms
        self.last_day = day
        self.due = day + interval_days(self.half_steps)


class Calendar:
    """Study days and hours of a zone's wall clock."""

    def __init__(self, zone, rollover_hour):
        self.zone = zone
        self.rollover_ms = rollover_hour * 3_600_000
        self.offsets = {}

    def offset_ms(self, at_ms):
        quarter = at_ms // 900_000  # no zone changes its offset but on a quarter of an hour
        if quarter not in self.offsets:
            moment = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc) + dt.timedelta(minutes=quarter * 15)
            self.offsets[quarter] = int(moment.astimezone(self.zone).utcoffset().total_seconds()) // 60 * 60_000
        return self.offsets[quarter]

    def day(self, at_ms):
        return (at_ms + self.offset_ms(at_ms) - self.rollover_ms) // DAY_MS

    def hour(self, at_ms):
        return (at_ms + self.offset_ms(at_ms)) // 3_600_000 % 24


def name_of(day):
    return (EPOCH + dt.timedelta(days=day)).isoformat()


def streaks(days, today):
    longest = run = 0
    previous = None
    for day in sorted(days):
        run = run + 1 if previous is not None and day == previous + 1 else 1
        longest = max(longest, run)
        previous = day
    current = run if previous in (today, today - 1) else 0
    return {"current": current, "longest": longest}


def fold(history, calendar, now_ms, now_day, boxes=8):
    cards = {card: Card() for card in history.live}
    for card, made_ms in history.live.items():
        cards[card].due = calendar.day(made_ms)
    grades = dict.fromkeys(GRADES, 0)
    practised = held = total_ms = 0
    by_day = {}
    hours = [0] * 24
    for review in history.reviews:
        if review.at_ms > now_ms + DAY_MS:
            held += 1
            continue
        card = cards.setdefault(review.card, Card())
        if review.kind == "practice":
            practised += 1
            continue
        day = calendar.day(review.at_ms)
        if review.kind == "reset":
            card.half_steps = 0
            card.due = day
            continue
        card.answer(review.grade, review.at_ms, day)
        grades[GRADES[review.grade - 1]] += 1
        took_ms = review.took_ms or 0
        total_ms += took_ms
        tally = by_day.setdefault(day, [0, 0, 0])
        tally[0] += 1
        tally[1] += review.grade > 1
        tally[2] += took_ms
        hours[calendar.hour(review.at_ms)] += 1

    live = [cards[card] for card in history.live]
    per_box = [0] * boxes
    forecast = {}
    due_total = overdue = 0
    for card in live:
        per_box[min(card.half_steps // 2, boxes - 1)] += 1
        due_total += card.due <= now_day
        overdue += card.due < now_day
        if card.due >= now_day:
            forecast[card.due] = forecast.get(card.due, 0) + 1
    total = sum(grades.values())
    statistics = {
        "day": name_of(now_day),
        "reviews": {"total": total, **grades, "pass_rate": (total - grades["again"]) / total if total else None},
        "practised": practised,
        "held": held,
        "cards": {
            "total": len(live),
            "known": len(cards),
            "new": sum(card.last_ms is None for card in live),
            "learned": sum(card.half_steps >= 2 for card in live),
            "deleted": len(cards) - len(live),
        },
        "boxes": per_box,
        "due": {
            "total": due_total,
            "overdue": overdue,
            "forecast": [{"day": name_of(day), "cards": forecast[day]} for day in sorted(forecast)],
        },
        "days": [
            {"day": name_of(day), "reviews": n, "passed": passed, "seconds": ms // 1000}
            for day, (n, passed, ms) in sorted(by_day.items())
        ],
        "hours": hours,
        "streak": streaks(by_day, now_day),
        "seconds": total_ms // 1000,
        "skipped": dict(sorted(history.skipped.items())),
    }
    return statistics, cards


def card_json(card, boxes=8):
    return {
        "level": card.half_steps / 2,
        "box": min(card.half_steps // 2, boxes - 1),
        "interval_days": interval_days(card.half_steps),
        "due": None if card.due is None else name_of(card.due),
        "passed": card.passed,
        "failed": card.failed,
        "last_reviewed_ms": card.last_ms,
    }


def expected(path, now, zone="UTC", rollover_hour=4, manual="reset"):
    """The history of a file, its expected statistics, and the state of each of its cards, at an ISO 8601 moment."""
    moment = dt.datetime.fromisoformat(now.replace("Z", "+00:00"))
    now_ms = milliseconds(now)
    offset_ms = int(moment.utcoffset().total_seconds()) * 1000
    now_day = (now_ms + offset_ms - rollover_hour * 3_600_000) // DAY_MS
    history = read(path, manual)
    statistics, cards = fold(history, Calendar(zoneinfo.ZoneInfo(zone), rollover_hour), now_ms, now_day)
    return history, statistics, cards


def main():
    parser = argparse.ArgumentParser(description="Fold a history of reviews independently of Engram.")
    parser.add_argument("file")
    parser.add_argument("--now", required=True, metavar="INSTANT", help="ISO 8601 with offset")
    parser.add_argument("--zone", default="UTC")
    parser.add_argument("--rollover", type=int, default=4, metavar="HOUR")
    parser.add_argument("--manual", choices=("reset", "ignore"), default="reset", help="what Anki's 'forget' rows do")
    parser.add_argument("--cards", action="store_true", help="add the state of every card")
    options = parser.parse_args()
    history, statistics, cards = expected(options.file, options.now, options.zone, options.rollover, options.manual)
    if options.cards:
        statistics["states"] = {
            card: {"live": card in history.live, **card_json(cards[card])} for card in sorted(cards)
        }
    json.dump(statistics, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
