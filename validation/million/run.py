#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A million atoms: memory, and time from the start of the program to the end of its first step.

    run.py PROGRAM [--threads 2] [--tiles 8 7 7] [--folder FOLDER]

Exit code 1 where there are fewer than a million atoms, 1200 bytes or more per atom, or 20 s or more to the first
step."""

import argparse
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "run"))
import large_water  # noqa: E402

MOST_BYTES, MOST_SECONDS = 1200.0, 20.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tiles", type=int, nargs=3, default=(8, 7, 7))
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mdsim-million-") as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        atoms = large_water.tile(SOURCE, folder, options.tiles)
        cost = large_water.measure(options.program, folder, atoms, options.threads)
    print(f"{atoms} atoms, {options.threads} threads: {cost.bytes_an_atom:.0f} bytes per atom, "
          f"{cost.first_step:.1f} s to the first step, {cost.processor:.1f} s of processor time in all")
    sys.exit(0 if atoms >= 1000000 and cost.bytes_an_atom < MOST_BYTES and cost.first_step < MOST_SECONDS else 1)


main()
