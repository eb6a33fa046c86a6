#!/usr/bin/env python3
"""Holds engram to what earlier programs answered about their stores, before and after it has carried them over.

    compatibility.py ENGRAM

Beside each frozen store lies what its own program said. Keys may have been added since; none may be gone, or say another thing.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

STORES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "CompatibilityTests", "Stores")
LATER = "2024-06-01T12:00:00+00:00"


def differences(old, new, place=""):
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield f"{place}.{key} is gone"
            else:
                yield from differences(old[key], new[key], f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new)):
            yield from differences(*pair, f"{place}[{index}]")
    elif old != new:
        yield f"{place}: {old!r} became {new!r}"


def main():
    engram = os.path.abspath(sys.argv[1])

    def run(store, *arguments):
        done = subprocess.run([engram, *arguments, "--store", store, "--json", "--now", LATER], capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return json.loads(done.stdout)

    folders = sorted(glob.glob(os.path.join(STORES, "format-*")))
    newest = folders[-1]
    for folder in folders:
        with open(os.path.join(folder, "answers.json"), encoding="utf-8") as file:
            answers = json.load(file)
        answers.pop("program")
        with tempfile.TemporaryDirectory() as scratch:
            store = os.path.join(scratch, "store")
            os.mkdir(store)
            shutil.copy(os.path.join(folder, "data.mdb"), store)
            for when in ("before", "after"):  # it is carried over, where its format isn't the present one
                for command, answer in answers.items():
                    found = list(differences(answer, run(store, *command.split()), command))
                    assert not found, f"{folder}, {when} it is carried over: {found}"
                if when == "before":
                    report = run(store, "migrate")
                    assert report["changed"] == (folder != newest), report
            assert run(store, "verify")["ok"]
            # What only the present format can: texts that are gone for good, and a chain that still vouches for the rest.
            card = answers["card list"]["cards"][-1]
            run(store, "erase", card["id"])
            assert run(store, "verify")["ok"]
            with open(os.path.join(store, "data.mdb"), "rb") as file:
                assert card["front"].encode() not in file.read(), card["front"]
        print(f"{os.path.basename(folder)}: {len(answers)} answers as they were, before and after a migration")


if __name__ == "__main__":
    main()
