# SPDX-License-Identifier: Apache-2.0
"""Restraints and walls of an input: what they report against plain sums over the coordinates, the same bits for
any ranks, threads and stops, and what is refused.

    test_restraints.py PROGRAM SOURCE_DIR [TEST...]
"""

import csv
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import (  # noqa: E402
    FINISHED, HEAD, INPUT, OUTPUT, RELAX, STOPPED, dynamics, require, require_same_run, solution,
)

os.environ["OMP_WAIT_POLICY"] = "passive"
os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"
LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
OWN = ("debug.", "hardware.threads")

# The first two methanols are far apart; the others make up groups of several molecules.
RESTRAINTS = """
restrain = [{ name = "held", select = "resid 3 and name OH", force_constant = "500 kJ/mol/nm^2", flat_bottom = "0.05 nm" }]
restrain_distance = [
    { name = "pull", between = ["resid 1", "resid 2"], to = "0.7 nm", force_constant = "800 kJ/mol/nm^2" },
    { between = ["index 1", "index 5"], lower = "0.16 nm", upper = "0.17 nm", force_constant = "1000 kJ/mol/nm^2" },
    { between = ["resid 1-3", "resid 4-8"], upper = "0.1 nm", force_constant = "1000 kJ/mol/nm^2" },
]
restrain_angle = [{ between = ["resid 1", "resid 2", "resid 3"], to = "90 deg", force_constant = "200 kJ/mol/rad^2" }]
restrain_dihedral = [{ name = "twist", between = ["index 2", "index 1", "index 5", "index 6"], lower = "20 deg", upper = "40 deg", force_constant = "0.1 kJ/mol/deg^2" }]
wall = [
    { name = "slab", select = "resname MOH", shape = "plane", lower = "0.5 nm", upper = "1.2 nm", force_constant = "300 kJ/mol/nm^2" },
    { name = "ball", select = "resid 4-8 and name OH", shape = "sphere", centre = ["1 nm", "1 nm", "1 nm"], radius = "0.3 nm", force_constant = "300 kJ/mol/nm^2" },
    { name = "pore", select = "resid 1-2", shape = "cylinder", axis = "x", centre = ["0 nm", "1 nm", "1 nm"], radius = "0.5 nm", keep = "outside", force_constant = "300 kJ/mol/nm^2" },
]
"""
NAMES = ["held", "pull", "distance-2", "distance-3", "angle-1", "twist", "slab", "ball", "pore"]


def prepared(folder, name="run", restraints=RESTRAINTS, edge=6):
    folder = Path(folder) / name
    folder.mkdir()
    solution(folder, edge=edge)
    stage = dynamics("produce", 20, 'temperature = "300 K"\npressure = "1 bar"\n' + restraints)
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX.replace("60", "20") + restraints + "\n" + stage)
    return folder


def atoms_of(folder):
    """(residue number, mass, position) of each atom of box.gro, and the edge of the box."""
    mass = {"C": 12.01, "H": 1.008, "O": 16.00}
    lines = (folder / "box.gro").read_text().splitlines()
    atoms = [(int(line[:5]), mass[line[10:15].strip()[0]], [float(line[20 + 8 * a : 28 + 8 * a]) for a in range(3)])
             for line in lines[2:-1]]
    return atoms, float(lines[-1].split()[0])


def nearest(d, edge):
    return [c - edge * round(c / edge) for c in d]


def centre(atoms, edge, residues):
    """Of these residues, each in the image nearest to the first one."""
    anchor = None
    total, place = 0.0, [0.0] * 3
    for residue in residues:
        of = [a for a in atoms if a[0] == residue]
        m = sum(a[1] for a in of)
        c = [sum(a[1] * a[2][k] for a in of) / m for k in range(3)]
        anchor = anchor or c
        c = [r + s for r, s in zip(anchor, nearest([x - y for x, y in zip(c, anchor)], edge))]
        total += m
        place = [p + m * x for p, x in zip(place, c)]
    return [p / total for p in place]


def between(a, b, edge):
    return nearest([y - x for x, y in zip(a, b)], edge)


def size(d):
    return math.sqrt(sum(c * c for c in d))


def test_values_and_energies(program, folder, source):
    run = prepared(folder)
    result = program.run(run, "energy", "-i", "run.inp", "--json", expect=FINISHED)
    report = json.loads(result.out)
    found = {r["name"]: r for r in report["restraints"]}
    require(list(found) == NAMES, f"restraints {list(found)}")
    total = sum(r["energy"] for r in found.values())
    require(abs(total - report["energies"]["restraint"]) < 1e-6, f"{total} is not {report['energies']['restraint']}")
    on_device = program.run(run, "energy", "-i", "run.inp", "--json", "--set", 'hardware.gpu="host"', expect=FINISHED)
    require(json.loads(on_device.out)["restraints"] == report["restraints"], "other restraints with a device")
    atoms, edge = atoms_of(run)
    of = {n: centre(atoms, edge, [n]) for n in (1, 2, 3)}

    def check(name, value, energy):
        r = found[name]
        require(abs(r["value"] - value) < 1e-7 * max(1, abs(value)), f"{name}: {r['value']} is not {value}")
        require(abs(r["energy"] - energy) < 1e-6 * max(1, energy), f"{name}: {r['energy']} is not {energy} kJ/mol")

    d = size(between(of[1], of[2], edge))
    check("pull", d, 400 * (d - 0.7) ** 2)
    d = size(between(atoms[0][2], atoms[4][2], edge))
    check("distance-2", d, 500 * (max(0.16 - d, d - 0.17, 0)) ** 2)
    d = size(between(centre(atoms, edge, [1, 2, 3]), centre(atoms, edge, range(4, 9)), edge))
    check("distance-3", d, 500 * max(d - 0.1, 0) ** 2)
    a, b = between(of[2], of[1], edge), between(of[2], of[3], edge)
    theta = math.acos(sum(x * y for x, y in zip(a, b)) / size(a) / size(b))
    check("angle-1", math.degrees(theta), 100 * (theta - math.pi / 2) ** 2)
    check("held", 0.0, 0.0)
    out = [max(abs(z - 0.85 - edge * round((z - 0.85) / edge)) - 0.35, 0) for z in (a[2][2] for a in atoms[:48])]
    check("slab", math.sqrt(sum(o * o for o in out) / 48), 150 * sum(o * o for o in out))


def test_forces(program, folder, source):
    """Of the restraints alone: forces with them less forces without, by the change of energy as an atom is moved."""
    run = prepared(folder)
    lines = (run / "box.gro").read_text().splitlines()

    def restraint(shift):
        moved = list(lines)
        line = moved[2]
        moved[2] = line[:20] + f"{float(line[20:28]) + shift:12.7f}{float(line[28:36]):12.7f}{float(line[36:44]):12.7f}"
        for n in range(3, len(moved) - 1):
            line = moved[n]
            moved[n] = line[:20] + "".join(f"{float(line[20 + 8 * a : 28 + 8 * a]):12.7f}" for a in range(3))
        (run / "box.gro").write_text("\n".join(moved) + "\n")
        arguments = ("energy", "-i", "run.inp", "--json", "--precision", "double")
        energy = json.loads(program.run(run, *arguments, expect=FINISHED).out)["energies"]["restraint"]
        forces = []
        for extra in ((), ("--set", "stage.relax.restrain_distance=[]", "--set", "stage.relax.restrain_angle=[]",
                           "--set", "stage.relax.restrain_dihedral=[]", "--set", "stage.relax.wall=[]")):
            program.run(run, *arguments, "--forces", "f.csv", *extra, expect=FINISHED)
            forces.append(float((run / "f.csv").read_text().splitlines()[1].split(",")[0]))
        return energy, forces[0] - forces[1]

    # "held" keeps its place at the input, so it has no part in it.
    below, above, here = restraint(-1e-4)[0], restraint(1e-4)[0], restraint(0.0)[1]
    slope = (below - above) / 2e-4
    require(abs(here - slope) < 1e-3 * max(1.0, abs(slope)), f"force {here}, slope {slope}")


def test_run_reports_them(program, folder, source):
    run = prepared(folder)
    program.run(run, "-i", "run.inp", expect=FINISHED)
    rows = list(csv.DictReader(open(run / "run.energies.csv")))
    for name in NAMES:
        unit = "deg" if name in ("angle-1", "twist") else "nm"
        for column in (f"restraint_{name} [kJ/mol]", f"restraint_{name}_value [{unit}]"):
            require(all(math.isfinite(float(row[column])) for row in rows), f"no column {column}")
    for row in rows:
        total = sum(float(row[f"restraint_{name} [kJ/mol]"]) for name in NAMES)
        require(abs(total - float(row["restraint [kJ/mol]"])) < 1e-6, f"step {row['step']}: {total}")
    log = (run / "run.log").read_text()
    require("    restraints  held " in log and "  twist " in log, "the log has no line of restraints")


def test_bits(program, folder, source):
    """Threads, ranks and a stop in between."""
    reference = prepared(folder, "reference")
    program.run(reference, "-i", "run.inp", expect=FINISHED, threads=1)
    threads = prepared(folder, "threads")
    program.run(threads, "-i", "run.inp", expect=FINISHED, threads=3)
    require_same_run(reference, threads, drop=OWN)
    stopped = prepared(folder, "stopped")
    program.run(stopped, "-i", "run.inp", "--set", "debug.stop_at_step=13", expect=STOPPED)
    program.run(stopped, "-i", "run.inp", expect=FINISHED)
    require_same_run(reference, stopped, drop=OWN)
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        return
    for count, more in ((2, ["--set", 'debug.balance="forced"']), (3, ["--set", "hardware.mesh_ranks=1"])):
        ranks = prepared(folder, f"ranks-{count}")
        done = subprocess.run([*LAUNCH, str(count), program.path, "-i", "run.inp", "--threads", "1", *more], cwd=ranks,
                              capture_output=True, text=True, timeout=300)
        require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        require(harness.state_of(ranks) == harness.state_of(reference), f"{count} ranks: another state")
        require((ranks / "run.energies.csv").read_bytes() == (reference / "run.energies.csv").read_bytes(),
                f"{count} ranks: other energies")


REFUSED = {
    "two of three": ('restrain_angle = [{ between = ["resid 1", "resid 2"], to = "90 deg", force_constant = "1 kJ/mol/rad^2" }]',
                     ["MD108", "run.inp:", "2 selections", "three"]),
    "no target": ('restrain_distance = [{ between = ["resid 1", "resid 2"], force_constant = "1 kJ/mol/nm^2" }]',
                  ["MD108", "neither `to` nor a range", "try:"]),
    "both": ('restrain_distance = [{ between = ["resid 1", "resid 2"], to = "1 nm", upper = "2 nm", force_constant = "1 kJ/mol/nm^2" }]',
             ["MD108", "both `to` and a range"]),
    "half a dihedral": ('restrain_dihedral = [{ between = ["index 1", "index 2", "index 3", "index 4"], lower = "3 deg", force_constant = "1 kJ/mol/rad^2" }]',
                        ["MD108", "one end"]),
    "no unit": ('restrain_angle = [{ between = ["resid 1", "resid 2", "resid 3"], to = 90, force_constant = "1 kJ/mol/rad^2" }]',
                ["MD103", "90 deg"]),
    "wrong spring": ('restrain_angle = [{ between = ["resid 1", "resid 2", "resid 3"], to = "90 deg", force_constant = "1 kJ/mol/nm^2" }]',
                     ["MD103", "force_constant"]),
    "no selection": ('restrain_distance = [{ between = ["resid 1", "protien"], to = "1 nm", force_constant = "1 kJ/mol/nm^2" }]',
                     ["MD114", "protein"]),
    "nothing selected": ('restrain_distance = [{ between = ["resid 1", "protein"], to = "0.5 nm", force_constant = "1 kJ/mol/nm^2" }]',
                         ["MD405", "restrain_distance.between"]),
    "two of a name": ('restrain_distance = [{ name = "a", between = ["resid 1", "resid 2"], to = "0.5 nm", force_constant = "1 kJ/mol/nm^2" }, '
                      '{ name = "a", between = ["resid 1", "resid 2"], to = "0.5 nm", force_constant = "1 kJ/mol/nm^2" }]',
                      ["MD113", "'a'"]),
    "beyond half the box": ('restrain_distance = [{ between = ["resid 1", "resid 2"], to = "1.5 nm", force_constant = "1 kJ/mol/nm^2" }]',
                            ["MD416", "distance-1", "try:"]),
    "a wide wall": ('wall = [{ select = "resid 1", shape = "plane", lower = "0 nm", upper = "2 nm", force_constant = "1 kJ/mol/nm^2" }]',
                    ["MD416", "wall-1"]),
    "planes the wrong way": ('wall = [{ select = "resid 1", shape = "plane", lower = "1 nm", upper = "0.5 nm", force_constant = "1 kJ/mol/nm^2" }]',
                             ["MD108", "upper"]),
    "a sphere of planes": ('wall = [{ select = "resid 1", shape = "sphere", lower = "1 nm", centre = ["1 nm", "1 nm", "1 nm"], radius = "0.5 nm", force_constant = "1 kJ/mol/nm^2" }]',
                           ["MD108", "lower"]),
}


def test_refused(program, folder, source):
    for number, (what, (text, words)) in enumerate(REFUSED.items()):
        run = prepared(folder, f"refused-{number}", text)
        result = program.run(run, "-i", "run.inp", "--check", expect=INPUT)
        message = result.out + result.err
        for word in words:
            require(word in message, f"{what}: no {word!r} in\n{message}")


if __name__ == "__main__":
    harness.main([test_values_and_energies, test_forces, test_run_reports_them, test_bits, test_refused])
