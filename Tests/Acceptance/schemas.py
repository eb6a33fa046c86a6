#!/usr/bin/env python3
"""Checks real exported events against the generated JSON Schemas, with a validator that isn't ours (PyPI: jsonschema).

    schemas.py ENGRAM

Makes a store, imports the bundled history, does one of every action that the command line knows, exports the log, and
validates each line against the schema of its type. Then the log is imported into a second store: the digests of state and
of every origin must be the same.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
NOW = "2026-02-03T10:00:00+01:00"


class Engram:
    def __init__(self, program, store):
        self.program, self.store = program, store

    def __call__(self, *arguments, json_output=True, now=NOW, text=None):
        command = [self.program, *arguments, "--store", self.store, "--now", now] + (["--json"] if json_output else [])
        done = subprocess.run(command, capture_output=True, text=True, input=text)
        if done.returncode != 0:
            raise SystemExit(f"engram {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}{done.stdout[-300:]}")
        return json.loads(done.stdout) if json_output else done.stdout


# What one of everything has to leave in the log.
WRITTEN = {
    "history_imported", "deck_created", "deck_renamed", "deck_recoloured", "deck_deleted", "card_created", "card_edited",
    "card_moved", "card_deleted", "card_restored", "card_reviewed", "card_practised", "answer_corrected", "action_voided",
    "favourite_set", "scheduler_configured", "day_configured",
}


def act(engram):
    """One of everything."""
    deck = engram("deck", "add", "Größe \U0001F600", "--colour", "#1e88e5")["id"]
    other = engram("deck", "add", "Other")["id"]
    engram("deck", "rename", other, "Another")
    engram("deck", "recolour", other, "none")
    card = engram("card", "add", deck, "--front", "der Hund", "--back", "dog\nline two")["id"]
    engram("card", "edit", card, "--back", "the dog")
    review = engram("review", card, "easy", "--took", "1500")["event"]
    engram("practise", card, "hard")
    engram("correct", review, "again")
    engram("favourite", "toggle", card)
    engram("card", "move", card, other)
    engram("card", "delete", card)
    engram("card", "restore", card)
    engram("undo")
    engram("undo")
    engram("scheduler", "set", "boxes:count=5,first=1,multiplier=2")
    engram("day", "set", "3")
    engram("deck", "delete", other)
    engram("undo")


def main():
    program = os.path.abspath(sys.argv[1])
    schemas = {}
    for path in glob.glob(os.path.join(ROOT, "Schemas", "json-schema", "*.schema.json")):
        schema = json.load(open(path, encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[os.path.basename(path).removesuffix(".schema.json")] = jsonschema.Draft202012Validator(schema)
    with tempfile.TemporaryDirectory() as folder:
        first = Engram(program, os.path.join(folder, "first"))
        first("init")
        first("import", os.path.join(ROOT, "tools", "sample", "review-history.csv"), "--zone", "Europe/Berlin")
        act(first)
        log = first("log", "export", json_output=False)
        counts = {}
        for number, line in enumerate(log.splitlines(), 1):
            event = json.loads(line)
            counts[event["type"]] = counts.get(event["type"], 0) + 1
            if event["type"] == "card_reviewed" and counts["card_reviewed"] > 2000:
                continue
            errors = list(schemas[event["type"]].iter_errors(event))
            if errors:
                raise SystemExit(f"line {number} isn't what {event['type']}.schema.json says: {errors[0].message}\n{line}")
        if not WRITTEN <= counts.keys():
            raise SystemExit(f"no event of the types {sorted(WRITTEN - counts.keys())} in the log")
        second = Engram(program, os.path.join(folder, "second"))
        second("init")
        merged = second("log", "import", "-", text=log)
        replayed = first("replay")
        if not replayed["equal"] or merged["digest"] != replayed["digest"]:
            raise SystemExit("the imported log doesn't give the same state")
        heads = first("verify")["head"], second("verify")["head"]
        if heads[0] != heads[1]:
            raise SystemExit(f"the imported log doesn't give the same digests: {heads}")
        print(f"{sum(counts.values())} events of {len(counts)} types agree with their schemas; export and import give the same digests")


main()
