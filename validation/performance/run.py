#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mdsim, GROMACS and OpenMM's CPU platform on the same systems, in turn: speed, memory, and on request force error and drift.

    run.py PROGRAM [--systems NAME...] [--repeats 5] [--seconds 15] [--threads 1 2] [--accuracy] [--drift PICOSECONDS]
           [--dhfr FOLDER] [--openmm PYTHON] [--gmx-preload LIBRARY] [--json FILE]

Peers that are not there are left out, and a line says so. Exit code 0 unless an engine fails."""

import argparse
import gzip
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engines import Gromacs, Mdsim, OpenMM, call, relative_error

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "run"))
import large_water  # noqa: E402

# Boxes of 900 waters along each axis.
WATER = {"water-3k": (1, 1, 1), "water-24k": (2, 2, 2), "water-98k": (3, 3, 4), "water-375k": (4, 6, 6),
         "water-1.5M": (7, 8, 10)}
SYSTEMS = ["ubiquitin", "dhfr", *WATER]
# Tighter than anything that is compared: what forces are measured against.
TIGHT = ['forces.electrostatics="pme"', 'forces.force_error=1e-6']


def make_ubiquitin(program, folder):
    """The last frame of inputs/protein.inp, with velocities."""
    made = folder / "made"
    made.mkdir()
    keys = ['output.trajectory={ every = "1 ps", format = ["h5md"], velocities = true, whole = true }', 'output.name="p"']
    words = [word for key in keys for word in ("--set", key)]
    call([program, "-i", SOURCE / "inputs" / "protein.inp", "--quiet", *words], made)
    call([program, "convert", "p.h5", "conf.gro", "--from", "20 ps"], made)
    shutil.copy(made / "conf.gro", folder)
    shutil.copy(SOURCE / "inputs" / "ubiquitin" / "ubiquitin.top", folder / "topol.top")


def make_dhfr(source, folder):
    for name in ("topol.top", "conf.gro"):
        packed = source / f"{name}.gz"
        data = gzip.decompress(packed.read_bytes()) if packed.exists() else (source / name).read_bytes()
        (folder / name).write_bytes(data)


def make_water(tiles, folder):
    large_water.tile(SOURCE, folder, tiles)
    (folder / "water.gro").rename(folder / "conf.gro")
    (folder / "water.top").rename(folder / "topol.top")


def make(system, options, folder):
    if system in WATER:
        make_water(WATER[system], folder)
    elif system == "dhfr":
        make_dhfr(options.dhfr, folder)
    else:
        make_ubiquitin(options.program, folder)
    with open(folder / "conf.gro") as file:
        next(file)
        return int(next(file))


def find_peers(options):
    peers = []
    gromacs = Gromacs(options.gmx_preload)
    if gromacs.program:
        peers.append(gromacs)
    else:
        print("GROMACS left out: there is no gmx on the path (Debian: gromacs)")
    has_openmm = subprocess.run([options.openmm, "-c", "import openmm"], capture_output=True).returncode == 0
    if has_openmm:
        peers.append(OpenMM(options.openmm))
    else:
        print(f"OpenMM left out: {options.openmm} cannot import openmm (PyPI: openmm; --openmm PYTHON)")
    return peers


def measure_speed(engines, folder, threads, options):
    """Per engine: its timings, one of each engine in turn."""
    steps = {e.name: 10 for e in engines}
    for engine in engines:  # how many steps fill the time that was asked for
        trial = engine.time(folder, 30, threads)
        steps[engine.name] = max(30, int(1000.0 * options.seconds / trial.ms_per_step))
    timings = {e.name: [] for e in engines}
    for _ in range(options.repeats):
        for engine in engines:
            timings[engine.name].append(engine.time(folder, steps[engine.name], threads))
    return timings


def rows_of(system, atoms, threads, timings):
    ours = timings["mdsim"]
    for name, theirs in timings.items():
        ratios = [a.ms_per_step / b.ms_per_step for a, b in zip(theirs, ours)]
        median = statistics.median(t.ms_per_step for t in theirs)
        yield {"system": system, "atoms": atoms, "threads": threads, "engine": name, "ms_per_step": round(median, 4),
               "ns_per_day": round(172.8 / median, 2), "mdsim_is_faster_by": round(statistics.median(ratios), 3),
               "spread": [round(min(ratios), 3), round(max(ratios), 3)],
               "megabytes": round(max(t.megabytes for t in theirs), 1)}


def measure_accuracy(engines, folder, atoms, options):
    found = {}
    mdsim = next(e for e in engines if e.name == "mdsim")
    reference = mdsim.forces(folder, TIGHT, "double") if options.accuracy else None
    for engine in engines:
        numbers = {}
        if options.accuracy:
            numbers["force_error"] = relative_error(engine.forces(folder), reference)
        if options.drift:
            numbers["drift"] = engine.drift(folder, atoms, options.drift, max(options.threads))
        found[engine.name] = numbers
    return found


def print_table(rows):
    columns = ["system", "atoms", "threads", "engine", "ms_per_step", "ns_per_day", "mdsim_is_faster_by", "megabytes",
               *sorted({k for row in rows for k in row if k in ("force_error", "drift")})]
    titles = {"ms_per_step": "ms/step", "ns_per_day": "ns/day", "mdsim_is_faster_by": "mdsim is faster by",
              "megabytes": "MB", "force_error": "force error", "drift": "drift [kJ/mol/ns/atom]"}
    print("| " + " | ".join(titles.get(c, c) for c in columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        cells = [f"{row[c]:.2e}" if c in ("force_error", "drift") and c in row else str(row.get(c, "")) for c in columns]
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=["ubiquitin", "dhfr", "water-24k", "water-98k"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each timing")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--accuracy", action="store_true", help="force error against tight Ewald")
    parser.add_argument("--drift", type=float, default=0.0, help="length of a run at constant energy [ps]")
    parser.add_argument("--dhfr", type=Path, help="folder with topol.top and conf.gro of DHFR (or .gz)")
    parser.add_argument("--openmm", default=sys.executable)
    parser.add_argument("--gmx-preload", help="library for LD_PRELOAD of gmx")
    parser.add_argument("--json", type=Path, help="the rows as well")
    options = parser.parse_args()
    if options.dhfr is None and "dhfr" in options.systems:
        print("dhfr left out: it is not part of this repository (--dhfr FOLDER)")
        options.systems.remove("dhfr")
    peers = find_peers(options)
    engines = [Mdsim(options.program), *peers]
    print(f"{time.strftime('%Y-%m-%d')}, {machine()}; " + ", ".join(f"{p.name} {p.version()}" for p in peers))
    rows = []
    for system in options.systems:
        with tempfile.TemporaryDirectory(prefix="mdsim-performance-") as scratch:
            folder = Path(scratch)
            atoms = make(system, options, folder)
            for engine in engines:
                engine.prepare(folder)
            quality = measure_accuracy(engines, folder, atoms, options)
            for threads in options.threads:
                found = list(rows_of(system, atoms, threads, measure_speed(engines, folder, threads, options)))
                rows += [{**row, **quality[row["engine"]]} for row in found]
    print_table(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.processor())
    return f"{model}, {len(os.sched_getaffinity(0))} processors"


main()
