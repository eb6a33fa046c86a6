#!/usr/bin/env python3
"""Kills engram while it writes, and looks whether anything that it had acknowledged is lost.

    kill.py ENGRAM [--rounds N] [--seed S]

Each round starts a worker that makes cards and answers them, one process an action, and kills whatever runs at a random
moment with SIGKILL. What an action printed is acknowledged: it must be in the log ever after, the store must verify, and
what is stored must be what the log says. Some rounds import the bundled history instead and are killed in the midst of it.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLE = os.path.join(ROOT, "tools", "sample", "review-history.csv")


def run(program, store, *arguments):
    done = subprocess.run([program, *arguments, "--store", store, "--json"], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def killed(program, store, arguments, after):
    """Runs a command and kills it after so many seconds; what it had printed by then, if it was a whole document."""
    child = subprocess.Popen([program, *arguments, "--store", store, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        out, _ = child.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        out, _ = child.communicate()
    try:
        return json.loads(out)
    except ValueError:
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engram")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    dice = random.Random(options.seed)
    program = os.path.abspath(options.engram)
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        run(program, store, "init")
        deck = json.loads(run(program, store, "deck", "add", "Killed")[1])["id"]
        card = json.loads(run(program, store, "card", "add", deck, "--front", "a", "--back", "b")[1])["id"]
        started = time.monotonic()
        run(program, store, "review", card, "good")
        typical = time.monotonic() - started
        acknowledged, kills = set(), 0
        for number in range(options.rounds):
            if number % 25 == 24:
                killed(program, store, ["import", SAMPLE, "--zone", "UTC"], dice.uniform(0, typical * 12))
                kills += 1
            else:
                grade = dice.choice(["again", "hard", "good", "easy"])
                answer = killed(program, store, ["review", card, grade], dice.uniform(0, typical * 1.5))
                kills += answer is None
                if answer:
                    acknowledged.add(answer["event"])
            if number % 20 == 19 or number == options.rounds - 1:
                check(program, store, acknowledged, number)
    print(f"{options.rounds} rounds, {kills} killed, {len(acknowledged)} actions acknowledged: none is lost, every check is sound")


def check(program, store, acknowledged, number):
    code, out, error = run(program, store, "log", "--type", "card_reviewed")
    there = {json.loads(line)["event"] for line in out.splitlines()}
    if code != 0 or not acknowledged <= there:
        raise SystemExit(f"round {number}: lost {sorted(acknowledged - there)[:5]} {error}")
    code, out, error = run(program, store, "verify")
    if code != 0:
        raise SystemExit(f"round {number}: verify: {out}{error}")
    code, out, error = run(program, store, "replay")
    if code != 0:
        raise SystemExit(f"round {number}: replay: {out[:300]}{error}")


main()
