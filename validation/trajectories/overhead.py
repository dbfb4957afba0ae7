# SPDX-License-Identifier: Apache-2.0
"""What writing a frame every 1,000 steps costs a run: the same run with and without, in turn, by the medians of ms/step.

usage: overhead.py MDSIM [--pairs 7] [--steps 6000] [--threads N] [--formats h5md,xtc]

The box of 900 waters of inputs/. Exit code 1 where the run that writes takes more than 1.02 times as long. For a machine
that does nothing else; the first pair warms it up and is left out."""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MOST = 1.02
INPUT = """\
[system]
topology = "{source}/inputs/water/water.top"
coordinates = "{source}/inputs/water/water.gro"
velocities = "file"
[output]
trajectory = {{ every = "{every} steps", format = [{formats}] }}
energies = {{ every = "{steps} steps" }}
log = {{ every = "{steps} steps" }}
[[stage]]
name = "produce"
kind = "dynamics"
duration = "{length} ps"
timestep = "2 fs"
temperature = "300 K"
"""


def milliseconds(arguments, folder, every):
    """Of a step, as the log has it."""
    formats = ", ".join(f'"{name}"' for name in arguments.formats.split(","))
    (folder / "run.inp").write_text(INPUT.format(source=SOURCE, every=every, formats=formats, steps=arguments.steps,
                                                 length=f"{0.002 * arguments.steps:g}"))
    threads = ["--threads", str(arguments.threads)] if arguments.threads else []
    subprocess.run([arguments.mdsim, "-i", "run.inp", "--quiet", *threads], cwd=folder, check=True, capture_output=True)
    found = re.search(r"([0-9.]+) ms/step", (folder / "run.log").read_text())
    return float(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mdsim", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--formats", default="h5md")
    arguments = parser.parse_args()
    silent, writing = [], []
    for pair in range(arguments.pairs + 1):
        order = [(silent, arguments.steps), (writing, 1000)]
        for times, every in order if pair % 2 == 0 else reversed(order):
            with tempfile.TemporaryDirectory() as folder:
                times.append(milliseconds(arguments, Path(folder), every))
    ratio = statistics.median(writing[1:]) / statistics.median(silent[1:])
    print(f"without frames {statistics.median(silent[1:]):.4f} ms/step, with one every 1000 steps "
          f"{statistics.median(writing[1:]):.4f}: ratio {ratio:.4f}, {MOST} allowed ({arguments.pairs} pairs)")
    return 1 if ratio > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
