# SPDX-License-Identifier: Apache-2.0
"""Calls of the program and its device tests, each within the time of the part that makes it."""

import json
import subprocess
import time


class Failed(Exception):
    """Something did not do what it should; the text says what."""


class Program:
    def __init__(self, path, tests, threads):
        self.path, self.tests, self.threads = path, tests, threads
        self.end = 0.0  # of the part [s, monotonic]

    def call(self, command, folder=None):
        """Standard output of a command that must end well."""
        command = [str(word) for word in command]
        left = max(1.0, self.end - time.monotonic())
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=left)
        except subprocess.TimeoutExpired:
            raise Failed(f"{command[0]}: not done after {left:.0f} s") from None
        if done.returncode != 0:
            last = "; ".join(line.strip() for line in (done.stderr.strip() or done.stdout.strip()).splitlines()[-4:])
            raise Failed(f"exit code {done.returncode}: {last}")
        return done.stdout

    def _words(self, system, gpu, keys, threads):
        settings = (*system.keys, f'hardware.gpu="{gpu}"', *keys)
        return ["-i", system.deck, "--threads", threads or self.threads, *(w for key in settings for w in ("--set", key))]

    def run(self, system, gpu, folder, *keys, threads=None):
        """Runs the stages in `folder`; returns the log's name without its ending."""
        folder.mkdir(parents=True)
        self.call([self.path, *self._words(system, gpu, keys, threads)], folder)
        return system.deck.stem

    def energy(self, system, gpu, *keys, forces=None):
        words = ["--forces", forces] if forces else []
        return json.loads(self.call([self.path, "energy", "--json", *words, *self._words(system, gpu, keys, None)]))

    def bench(self, system, gpu, steps, trace):
        """Writes a timeline of some steps to the file `trace`."""
        trace.unlink(missing_ok=True)
        words = ["bench", "--json", "--steps", steps, "--trace", trace]
        return json.loads(self.call([self.path, *words, *self._words(system, gpu, (), None)]))

    def plan(self, system, gpu):
        return self.call([self.path, "--check", *self._words(system, gpu, (), None)])
