# SPDX-License-Identifier: Apache-2.0
"""What scripts rely on: commands, exit codes, files, and the lines and fields that they read.

    test_run_interface.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import re
import signal
import struct
import time

import harness
from harness import FINISHED, HEAT, INPUT, PRODUCE, RELAX, STOPPED, continued_copy, dynamics, require, require_same_run

CSV_START = (
    "time [ps],step,potential [kJ/mol],kinetic [kJ/mol],total [kJ/mol],conserved [kJ/mol],temperature [K],"
    "pressure [bar],volume [nm^3],density [kg/m^3],"
)
LONG = dynamics("produce", 100000, 'temperature = "300 K"')


def snapshot(folder):
    return {file: (folder / file).read_bytes() for file in harness.files_in(folder)}


def test_help_and_version(program, folder, source):
    help_text = program.run(folder, "--help", expect=FINISHED).out
    for word in ("-i", "--check", "--restart", "--threads", "--quiet", "--set", "energy", "bench", "info", "75"):
        require(word in help_text, f"--help does not speak of {word}")
    version = program.run(folder, "--version", expect=FINISHED).out
    require(re.match(r"mdsim \d+\.\d+\.\d+ \(", version), f"--version says {version!r}")
    result = program.run(folder, "--no-such-option", expect=INPUT)
    require(result.err.startswith("error: [MD") and "try:" in result.err, str(result))


def test_check_writes_nothing(program, folder, source):
    for name in ("argon", "water", "protein"):
        result = program.run(folder, "-i", source / "inputs" / f"{name}.inp", "--check", expect=FINISHED)
        for word in ("atoms", "terms:", "cutoff", "stage 1:", "MB of output", "memory:", "[default]"):
            require(word in result.out, f"--check of {name} does not speak of {word}\n{result}")
        require(result.err == "", str(result))
    require(harness.files_in(folder) == [], f"--check has written {harness.files_in(folder)}")


def test_outputs(program, folder, source):
    run = continued_copy(program, folder, "run", HEAT)
    result = program.run(run, "-i", "run.inp", expect=FINISHED)
    require("continuing" in result.out, f"a continuation does not say so\n{result}")
    require("\r" not in result.out and "\x1b" not in result.out, "there is terminal control in plain output")
    log = (run / "run.log").read_text()
    require(re.search(r"^finished\nstate step=20 time=0\.04 ps hash=[0-9a-f]{16}\n$", log, re.M), log[-500:])
    rows = (run / "run.energies.csv").read_text().splitlines()
    require(rows[0].startswith(CSV_START), f"the header of the energies is {rows[0]}")
    require(all(len(row.split(",")) == len(rows[0].split(",")) for row in rows), "rows of energies differ in length")
    steps = [int(row.split(",")[1]) for row in rows[1:]]
    require(steps == [0, 4, 8, 12, 16, 20], f"energies were written at steps {steps}")
    wanted = {"run.log", "run.energies.csv", "run.h5", "run.xdmf", "run.vtkhdf", "run.xtc", "run.trr", "run.dcd",
              "run.nc", "run.gro", "run.pdb", "run.psf"}
    wanted |= {"run.checkpoint.h5", "run.checkpoint.previous.h5"}
    there = {file for file in harness.files_in(run) if file.startswith("run.")} - {"run.inp"}
    require(os.readlink(run / "run.h5md") == "run.h5", "the link for MDAnalysis leads elsewhere")
    require(there == wanted, f"files that should not be there or are missing: {sorted(there ^ wanted)}")
    for file, frames in (("run.h5", 5), ("run.xtc", 5)):
        facts = json.loads(program.run(run, "info", file, "--json", expect=FINISHED).out)
        require(facts["frames"] == frames, f"{file} has {facts['frames']} frames, not {frames}")
    facts = json.loads(program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out)
    require(facts["state_hash"] == harness.state_line(log)[2], "log and checkpoint have different hashes")


def test_done_and_restart(program, folder, source):
    run = continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", expect=FINISHED)
    done = snapshot(run)
    result = program.run(run, "-i", "run.inp", expect=FINISHED)
    require("are done" in result.out and "--restart" in result.out, f"it does not say that all is done\n{result}")
    require(harness.state_line(result.out) == harness.state_of(run), "it says another state than the log")
    require(snapshot(run) == done, "a run that was done has changed its files")
    program.run(run, "-i", "run.inp", "--restart", "--set", "debug.stop_at_step=3", expect=STOPPED)
    aside = {file.replace(".old-1", ""): data for file, data in snapshot(run).items() if ".old-1" in file}
    kept = {file: data for file, data in done.items() if file.startswith("run.") and file != "run.inp"}
    # Those for ParaView name their trajectory, and are made anew under the new name.
    aside, kept_as_is = ({f: d for f, d in files.items() if not f.endswith((".xdmf", ".vtkhdf"))} for files in (aside, kept))
    require(aside == kept_as_is, f"not kept as they were: {sorted(set(kept_as_is) ^ set(aside))}")
    program.run(run, "-i", "run.inp", expect=FINISHED)
    # Restraints have columns where their stage was there from the start.
    before, now = ([row.split(",") for row in text.splitlines()]
                   for text in (kept["run.energies.csv"].decode(), (run / "run.energies.csv").read_text()))
    same = [now[0].index(name) for name in before[0]]
    require([[row[k] for k in same] for row in now] == before, "starting over gave other energies")
    program.run(run, "-i", "run.inp", "--restart", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require((run / "run.old-2.log").exists() and (run / "run.old-1.log").exists(), "old files were not kept aside twice")


def test_signals(program, folder, source):
    reference = continued_copy(program, folder, "reference", LONG)
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)
    for number in signals:
        process = program.start(reference, "-i", "run.inp")
        csv = reference / "run.energies.csv"
        before = csv.stat().st_size
        log = reference / "run.log"
        lines = log.read_text().count("  step ")
        harness.wait_for(lambda: log.read_text().count("  step ") > lines + 1, 60, "steps")
        began = time.monotonic()
        code = harness.end(process, number)
        require(code == STOPPED, f"signal {number}: exit {code}")
        require(time.monotonic() - began < 20.0, f"signal {number}: the stop took {time.monotonic() - began:.1f} s")
        require(csv.stat().st_size > before, "no energies were written")
        lines = log.read_text().splitlines()
        require(lines[-2] == "stopped", f"the log ends with {lines[-2:]}")
    step, _, value = harness.state_of(reference)
    straight = continued_copy(program, folder, "straight", LONG)
    program.run(straight, "-i", "run.inp", "--set", f"debug.stop_at_step={step}", expect=STOPPED)
    require(harness.state_of(straight)[2] == value, "stops by signals have changed the state")
    require_same_run(straight, reference, drop=("debug.",))


def test_longer_and_more_stages(program, folder, source):
    short = PRODUCE
    longer = PRODUCE.replace('duration = "60 fs"', 'duration = "84 fs"')
    require(longer != short, "the stage of this test has changed")
    straight = continued_copy(program, folder, "straight", longer + HEAT)
    program.run(straight, "-i", "run.inp", expect=FINISHED)
    grown = continued_copy(program, folder, "grown", short)
    program.run(grown, "-i", "run.inp", expect=FINISHED)
    head = harness.HEAD + harness.OUTPUT + RELAX
    (grown / "run.inp").write_text(head + longer)
    program.run(grown, "-i", "run.inp", expect=FINISHED)
    (grown / "run.inp").write_text(head + longer + HEAT)
    program.run(grown, "-i", "run.inp", expect=FINISHED)
    require(harness.state_of(straight) == harness.state_of(grown), "a run that has grown has another state")
    for file in ("run.xtc",):
        harness.require_same_bytes(straight / file, grown / file)
    steps = [row.split(",")[1] for row in (grown / "run.energies.csv").read_text().splitlines()[1:]]
    require(len(steps) == len(set(steps)), f"a step was written twice: {steps}")


def test_changed_input_is_refused(program, folder, source):
    run = continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=5", expect=STOPPED)
    before = snapshot(run)
    for change, word in (
        ('forces.cutoff="0.8 nm"', "forces.cutoff"),
        ('stage.heat.timestep="1 fs"', "timestep"),
        ('stage.heat.duration="20 fs"', "duration"),
        ("system.seed=3", "seed"),
    ):
        result = program.run(run, "-i", "run.inp", "--set", change, expect=INPUT)
        require("[MD115]" in result.err and word in result.err and "--restart" in result.err, str(result))
    require(snapshot(run) == before, "refusing a changed input has changed files")
    allowed = ("--set", 'output.energies.every="2 fs"', "--set", "debug.list_every=3", "--set", "hardware.threads=3")
    program.run(run, "-i", "run.inp", *allowed, expect=FINISHED)


def test_quiet(program, folder, source):
    run = continued_copy(program, folder, "run", HEAT)
    for _ in range(2):
        result = program.run(run, "-i", "run.inp", "--quiet", expect=FINISHED)
        require(result.out == "" and result.err == "", f"--quiet is not silent\n{result}")
    require("finished" in (run / "run.log").read_text(), "--quiet has left no log")


def read_npy(path):
    """Rows of three doubles of a .npy file of format 1.0."""
    data = path.read_bytes()
    require(data[:8] == b"\x93NUMPY\x01\x00", "not a .npy file of format 1.0")
    (length,) = struct.unpack("<H", data[8:10])
    require((10 + length) % 64 == 0, "the data of the .npy file are not aligned")
    header = data[10 : 10 + length].decode()
    require("'<f8'" in header and "'fortran_order': False" in header, header)
    numbers = struct.unpack(f"<{(len(data) - 10 - length) // 8}d", data[10 + length :])
    return [numbers[i : i + 3] for i in range(0, len(numbers), 3)]


def test_energy(program, folder, source):
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(harness.HEAD)
    common = ("energy", "-i", "run.inp")
    reports = {}
    for precision in ("mixed", "double"):
        result = program.run(folder, *common, "--precision", precision, "--json", "--forces", f"{precision}.npy")
        require(result.code == FINISHED, str(result))
        reports[precision] = json.loads(result.out)
    program.run(folder, *common, "--precision", "double", "--forces", "double.csv", expect=FINISHED)
    report = reports["double"]
    atoms = report["atoms"]
    require(atoms == int((folder / "box.gro").read_text().splitlines()[1]), f"{atoms} atoms")
    for key in ("mdsim", "settings", "box", "units", "energies", "virial", "pressure", "force"):
        require(key in report, f"energy --json has no {key}")
    units = {"energy": "kJ/mol", "force": "kJ/mol/nm", "pressure": "bar", "length": "nm"}
    require(report["units"] == units, str(report["units"]))
    terms = report["energies"]
    for term in ("bond", "angle", "proper_dihedral", "lj_14", "coulomb_14", "lj_sr", "dispersion_correction"):
        require(term in terms, f"energy --json has no term {term}")
    electric = ("coulomb_real", "coulomb_recip", "coulomb_self", "coulomb_exclusion", "coulomb_net_charge_background")
    require(abs(sum(terms[t] for t in electric) - terms["coulomb_total_without_14"]) < 1e-6, "Coulomb terms do not add up")
    parts = sum(value for name, value in terms.items() if name not in ("potential", "coulomb_total_without_14"))
    require(abs(parts - terms["potential"]) < 1e-5 * abs(terms["potential"]), "the terms are not the potential")
    force = read_npy(folder / "double.npy")
    require(len(force) == atoms, "a force is missing")
    rms = (sum(c * c for row in force for c in row) / (3 * atoms)) ** 0.5
    require(abs(rms / report["force"]["rms"] - 1) < 1e-9, f"RMS force {report['force']['rms']}, of the file {rms}")
    largest = max(range(atoms), key=lambda i: sum(c * c for c in force[i]))
    require(report["force"]["max_atom"] == largest, "the largest force is on another atom")
    rows = [row for row in (folder / "double.csv").read_text().splitlines() if row[0] in "-0123456789"]
    require([tuple(map(float, row.split(","))) for row in rows] == force, "text and .npy have different forces")
    mixed = read_npy(folder / "mixed.npy")
    error = sum((a - b) ** 2 for f, g in zip(force, mixed) for a, b in zip(f, g)) ** 0.5
    size = sum(c * c for row in force for c in row) ** 0.5
    require(0.0 < error < 3e-5 * size, f"mixed precision differs by {error / size:.2g} of the forces")
    require(reports["mixed"]["settings"]["precision"] == "mixed", "settings name another precision")
    require(not [f for f in harness.files_in(folder) if f.startswith("run.") and f != "run.inp"], "energy has written outputs")


def test_bench(program, folder, source):
    harness.solution(folder, edge=6, methanols=0)
    (folder / "run.inp").write_text(harness.HEAD + dynamics("produce", 100, 'temperature = "300 K"'))
    result = program.run(folder, "bench", "-i", "run.inp", "--steps", "6", "--json", expect=FINISHED)
    report = json.loads(result.out)
    for key in ("ms_per_step", "ns_per_day", "atoms", "threads", "ranks", "parts"):
        require(key in report, f"bench --json has no {key}")
    require(report["threads"] == program.threads and report["ranks"] == 1 and report["atoms"] == 648, str(report))
    require(abs(report["ns_per_day"] * report["ms_per_step"] - 86400 * 0.002) < 1e-6, "ns/day and ms/step disagree")
    parts = sum(report["parts"].values())
    require(0.5 * report["ms_per_step"] < parts < 1.05 * report["ms_per_step"], f"the parts are not the step: {report}")
    require(harness.files_in(folder) == ["box.gro", "box.top", "run.inp"], "bench has written files")


def test_bundled_inputs_run(program, folder, source):
    for name in ("argon", "water"):
        program.run(
            folder, "-i", source / "inputs" / f"{name}.inp", "--set", "debug.stop_at_step=5", expect=harness.STOPPED
        )
        require(harness.state_of(folder, name)[0] == "5", f"{name} is not at step 5")
        rows = (folder / f"{name}.energies.csv").read_text().splitlines()
        require(len(rows) >= 2 and rows[1].split(",")[1] == "0", f"{name} has no energies of step 0")


def test_terminal(program, folder, source):
    """On a terminal there is a progress line that is replaced."""
    run = continued_copy(program, folder, "run", HEAT + PRODUCE)
    controller, terminal = os.openpty()
    process = harness.subprocess.Popen(
        [program.path, "-i", "run.inp", "--threads", "2"], cwd=run, stdout=terminal, stderr=terminal
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            data = os.read(controller, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(controller)
    require(process.wait(timeout=60) == FINISHED, shown.decode(errors="replace")[-2000:])
    require(b"\r\x1b[K" in shown and b"ns/day" in shown, "no progress line was shown")


TESTS = [
    test_help_and_version,
    test_check_writes_nothing,
    test_outputs,
    test_done_and_restart,
    test_signals,
    test_longer_and_more_stages,
    test_changed_input_is_refused,
    test_quiet,
    test_energy,
    test_bench,
    test_bundled_inputs_run,
    test_terminal,
]

if __name__ == "__main__":
    harness.main(TESTS)
