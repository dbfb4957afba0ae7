# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: bench and plan of one input, and the load of the machine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "run"))
import large_water  # noqa: E402,F401

TIMEOUT = 1800


def output(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def launcher(ranks):
    """mpirun for so many ranks, more than processors included."""
    program = shutil.which("mpirun") or sys.exit("there is no mpirun")
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [program, *root, "--oversubscribe", "--bind-to", "none", "-n", ranks]


def bench(program, folder, deck, ranks, threads=1, steps=0, keys=()):
    """What `mdsim bench --json` says of so many ranks."""
    command = [*launcher(ranks), program, "bench", "-i", deck, "--json", "--threads", threads]
    for key in keys:
        command += ["--set", key]
    return json.loads(output(command + (["--steps", steps] if steps else []), folder))


def plan(program, folder, deck, *arguments):
    return json.loads(output([program, "plan", "-i", deck, "--json", *arguments], folder))


def machine():
    """One line: processor, number of them, and the load."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"


def table(rows):
    """Rows of cells as a table in Markdown; the first one is its head."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])
