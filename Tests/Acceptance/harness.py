"""What the tests that hurt stores share: fast folders, the C library that fails calls, and a process that looks at stores."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLE = os.path.join(ROOT, "tools", "sample", "review-history.csv")
NOW = "2030-01-01T12:00:00+00:00"


class Broken(Exception):
    """A promise that wasn't kept."""


def folder():
    """A temporary folder; in memory where the system has such a place, since what is tested here is order, not the disk."""
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None, prefix="engram-")


def library(into):
    """Builds Tests/Faults/storage.c; the path of the shared library."""
    path = os.path.join(into, "storage.so")
    source = os.path.join(ROOT, "Tests", "Faults", "storage.c")
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path


def fault_environment(shared_library, store_folder, **settings):
    environment = dict(os.environ, LD_PRELOAD=shared_library, FAULTS_FOLDER=store_folder, SWIFT_BACKTRACE="enable=no")
    environment.update({f"FAULTS_{name.upper()}": str(value) for name, value in settings.items() if value is not None})
    return environment


def run(program, *arguments, environment=None, timeout=60):
    """Runs a command to its end: exit code (negative for a signal, None for a hang), output, errors."""
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return None, "", "it hung"
    return done.returncode, done.stdout, done.stderr


def right(program, *arguments):
    """Runs a command that must succeed, and returns its JSON document."""
    code, out, errors = run(program, *arguments, "--json")
    if code != 0:
        raise Broken(f"{' '.join(arguments)}: exit {code}: {errors}")
    return json.loads(out) if out.count("\n") <= 1 else out


def commands(program):
    """Names of the commands that this program has."""
    _, out, _ = run(program, "help")
    return {line.split()[0] for line in out.splitlines() if line.startswith("  ") and line.split()}


def sample(path, rows, skip=0):
    """Writes a part of the bundled history."""
    with open(SAMPLE) as source:
        lines = source.readlines()
    with open(path, "w") as part:
        part.writelines(lines[:1] + lines[1 + skip:1 + skip + rows])
    return path


class Snapshot:
    """A folder as it was; put back into the same files, because a store knows its data file by its number."""

    def __init__(self, path):
        self.path = path
        self.files = {}
        for base, _, names in os.walk(path):
            for name in names:
                with open(os.path.join(base, name), "rb") as file:
                    self.files[os.path.relpath(os.path.join(base, name), path)] = file.read()
        self.folders = {os.path.relpath(base, path) for base, _, _ in os.walk(path)}

    def restore(self):
        for base, folders, names in os.walk(self.path, topdown=False):
            for name in names:
                if os.path.relpath(os.path.join(base, name), self.path) not in self.files:
                    os.unlink(os.path.join(base, name))
            for name in folders:
                if os.path.relpath(os.path.join(base, name), self.path) not in self.folders:
                    shutil.rmtree(os.path.join(base, name))
        for name, data in self.files.items():
            with open(os.path.join(self.path, name), "r+b" if os.path.exists(os.path.join(self.path, name)) else "wb") as file:
                file.write(data)
                file.truncate()


class Probe:
    """The program that looks at stores, started anew when one kills it."""

    def __init__(self, path, limit=20):
        self.path = path
        self.limit = limit
        self.child = None

    def start(self):
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        self.child = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.child.stdout, selectors.EVENT_READ)

    def ask(self, word, store):
        """Its answer; {"signal": number} where it died, {"hang": True} where it didn't answer in time."""
        if self.child is None:
            self.start()
        self.child.stdin.write(f"{word} {store}\n".encode())
        self.child.stdin.flush()
        data = b""
        while not data.endswith(b"\n"):
            if not self.selector.select(self.limit):
                self.end()
                return {"hang": True}
            piece = os.read(self.child.stdout.fileno(), 65536)
            if not piece:
                code = self.child.wait()
                self.end()
                return {"signal": -code}
            data += piece
        return json.loads(data)

    def end(self):
        if self.child is None:
            return
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGKILL)
            self.child.wait()
        self.selector.close()
        self.child.stdin.close()
        self.child.stdout.close()
        self.child = None

    def sound(self, store, allowed=()):
        """What the store holds; Broken unless it opens, verifies without a finding but of the allowed kinds, and is what its log says."""
        verified = self.ask("verify", store)
        if verified.get("findings") != 0 and not (allowed and set(verified.get("kinds", ["none"])) <= set(allowed)):
            raise Broken(f"verify: {verified}")
        seen = self.ask("read", store)
        if "state" not in seen:
            raise Broken(f"read: {seen}")
        if seen["state"] != seen["replayed"]:
            raise Broken(f"the stored state isn't the replayed one: {seen}")
        return seen
