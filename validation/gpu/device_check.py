# SPDX-License-Identifier: Apache-2.0
"""The check of the GPU path on a real device. device_check.sh says how to call it, README.md what it claims.

Each part has a time limit of its own, prints its results as they come, and fails for itself. Exit code 1 where one failed.
Plain Python, no packages."""

import argparse
import datetime
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import correctness
import speed
import systems
import tables
from program import Failed, Program

TOTAL = 470.0  # [s]


class Check:
    """What all parts need, and what they have found."""

    def __init__(self, options, folder):
        self.host = options.host
        self.gpu = "host" if options.host else "required"
        self.threads = options.threads or len(os.sched_getaffinity(0))
        self.program = Program(options.program, options.tests or options.program.parent / "tests", self.threads)
        self.dhfr_files = options.dhfr
        self.output = options.output.absolute()
        self.folder = folder
        self.rows, self.speeds, self.devices, self.kernels = [], [], [], []

    def dhfr(self):
        return systems.dhfr(self.folder, self.dhfr_files)

    def say(self, name, passed, text):
        """passed: None for what is no claim."""
        verdict = {True: "passed", False: "FAILED", None: ""}[passed]
        self.rows.append({"part": name, "passed": passed, "result": text})
        print(f"{name:<24}{verdict:<8}{text}", flush=True)


def parts(check):
    """(name, seconds at most, function) of each part."""
    yield "start", 20, correctness.start
    for name in correctness.device_tests(check):
        yield name, 120, lambda c, name=name: correctness.device_test(c, name)
    for name, make in correctness.force_systems(check):
        yield f"forces, {name}", 60, lambda c, name=name, make=make: correctness.forces(c, f"forces, {name}", make())
    yield "constant energy", 90, correctness.constant_energy
    yield "three equal runs", 60, correctness.equal_runs
    yield from speed.parts(check)


def run_parts(check):
    end = time.monotonic() + TOTAL
    for name, limit, function in parts(check):
        left = end - time.monotonic()
        check.program.end = time.monotonic() + min(limit, left)
        if left < 5.0:
            check.say(name, False, "not done: no time left")
            continue
        try:
            function(check)
        except Failed as error:
            check.say(name, False, str(error))
        except (OSError, KeyError, ValueError, IndexError) as error:
            check.say(name, False, f"{type(error).__name__}: {error}")


def options_of(arguments):
    beside = systems.SOURCE / "build" / "mdsim"
    parser = argparse.ArgumentParser(prog="device_check.sh")
    parser.add_argument("--program", type=Path, default=beside, help="build/cuda/mdsim of a checkout")
    parser.add_argument("--tests", type=Path, help="folder of the device tests (beside the program)")
    packed = systems.SOURCE / "dhfr"
    parser.add_argument("--dhfr", type=Path, default=packed if packed.is_dir() else None,
                        help="folder of DHFR's topol.top and conf.gro, plain or .gz")
    parser.add_argument("--output", type=Path, default=Path("device_check"), help="folder of results.json, table.md and timelines")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--host", action="store_true", help="small, on the host back end")
    return parser.parse_args(arguments)


def main():
    options = options_of(sys.argv[1:])
    options.program = options.program.absolute()
    began = time.monotonic()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mdsim-device-check-") as folder:
        check = Check(options, Path(folder))
        if not check.dhfr_files:
            check.say("DHFR", None, "left out: no files of it (--dhfr FOLDER)")
        run_parts(check)
    failed = [row["part"] for row in check.rows if row["passed"] is False]
    table = tables.everything(check, datetime.date.today().isoformat(), time.monotonic() - began)
    (options.output / "table.md").write_text(table)
    results = {"host": check.host, "threads": check.threads, "parts": check.rows, "speeds": check.speeds,
               "devices": check.devices, "operations": check.kernels}
    (options.output / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    print("\n" + table)
    print(f"failed: {'; '.join(failed)}" if failed else "all passed")
    sys.exit(1 if failed else 0)


main()
