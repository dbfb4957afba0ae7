#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Systems whose energies and forces independent engines have computed (folder MDSIM_REFDATA): mdsim in double precision on
the CPU, the same split over three ranks, bit for bit, and the kernels of GPUs executed on the CPU (hardware.gpu = "host"),
which are in mixed precision.

    test_reference_systems.py PROGRAM SOURCE_DIR [SYSTEM...] [--all]

Without --all those that take a second each. Exit code 77 where the folder is not there."""

import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
SMALL = ("amber_ala2_tip3p", "gmx_opls_peptide_vacuum", "nist_spce_triclinic1")
FORCE, LEAST = 1e-6, 1e-4  # relative, of energies and of the RMS of forces; [kJ/mol]
SINGLE = 1e-5  # the same of the kernels of devices: a pair in single precision has 6e-7 of its plain force, and there are many
FORMS = {"cut": "cut", "psw": "potential-switch", "fsw_gmx": "force-switch", "fsw_charmm": "charmm-force-switch"}
# Terms that a force field may give in either of two forms.
DIHEDRALS = ("proper_dihedral", "ryckaert_bellemans")
TERMS = ("bond angle urey_bradley improper_periodic improper_harmonic cmap lj_14 coulomb_14 lj_sr coulomb_total_without_14 "
         "potential").split()


def first(folder, *patterns):
    return next((path for pattern in patterns for path in sorted(folder.glob(pattern))), None)


def parameters_of(folder):
    """Of a CHARMM system: topologies, parameters, streams, in the order in which they are read."""
    found = {path for pattern in ("*.prm", "*.rtf", "par_*", "top_*", "*.str") for path in folder.glob(pattern)}
    kind = lambda path: (path.suffix != ".rtf" and "top_" not in path.name, path.suffix == ".str", path.name)  # noqa: E731
    return sorted(found, key=kind)


def input_of(folder, setting, box):
    """The .inp of one setting, or None where the files are of none of the formats."""
    psf = first(folder, "*.psf")
    topology = psf or first(folder, "*.prmtop", "*.parm7", "*.top")
    if topology is None:
        return None
    patterns = {".psf": ("*.crd", "*.pdb"), ".top": ("*.gro",)}.get(topology.suffix, ("*.ascii.rst7", "*.rst7", "*.inpcrd"))
    lines = ["[system]", f'topology = "{topology}"', f'coordinates = "{first(folder, *patterns)}"',
             'coulomb_constant = "138.935457644 kJ nm/mol/e^2"', 'constraints = "none"']
    if psf:
        lines.append(f"parameters = [{', '.join(json.dumps(str(path)) for path in parameters_of(folder))}]")
        lines += ["box = [" + ", ".join(f'"{x} nm"' for row in box for x in row) + "]"] if box else []
    lines += ["[forces]", "dispersion_correction = false"]
    if setting.get("vacuum"):
        lines += ['electrostatics = "none"', 'lennard_jones = "cut"']
    else:
        lines += [f'cutoff = "{setting["rc"]} nm"', 'electrostatics = "ewald"',
                  f'ewald_splitting = "{setting["alpha"]} /nm"', f'lennard_jones = "{FORMS[setting["lj"]]}"']
        lines += [f'switch_from = "{setting["rs"]} nm"'] if "rs" in setting else []
    return "\n".join([*lines, "[[stage]]", 'name = "none"', 'kind = "minimise"', "max_steps = 1", ""])


def evaluate(program, folder, name, *, precision="double", ranks=1, extra=()):
    """(energies, bytes of the forces), or the message of the program."""
    command = [program, "energy", "-i", "run.inp", "--precision", precision, "--json", "--forces", f"{name}.csv",
               "--threads", "1", *extra]
    if ranks > 1:
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800)
    if done.returncode:
        return next((line for line in done.stderr.splitlines() if line.startswith("error:")), done.stderr[-300:]), b""
    return json.loads(done.stdout), (folder / f"{name}.csv").read_bytes()


def differences(report, forces, reference, file, tolerance):
    """What is off, the largest relative difference of an energy, and that of the forces."""
    energies, wrong, worst = report["energies"], [], 0.0
    expected = {"coulomb_total_without_14": reference.get("coulomb", 0.0), **reference}
    pairs = [(name, energies.get(name, 0.0), expected[name]) for name in TERMS if name in expected]
    pairs.append(("dihedrals", *(sum(of.get(name, 0.0) for name in DIHEDRALS) for of in (energies, expected))))
    for name, ours, theirs in pairs:
        size = abs(expected["coulomb_total_without_14"]) if name == "potential" else 0.0
        relative = abs(ours - theirs) / max(abs(theirs), size, 1e-12)
        if abs(ours - theirs) <= LEAST:
            continue
        worst = max(worst, relative)
        if relative > tolerance:
            wrong.append(f"{name} {ours:.6f} for {theirs:.6f}")
    with gzip.open(file, "rt") as lines:
        theirs = [list(map(float, line.split())) for line in lines if line[0] not in "#f"]
    ours = [list(map(float, line.split(","))) for line in forces.decode().splitlines()[1:]]
    square = sum((a - b) ** 2 for x, y in zip(ours, theirs, strict=True) for a, b in zip(x, y))
    rms = math.sqrt(square / sum(b * b for y in theirs for b in y))
    if not rms <= tolerance:
        wrong.append(f"forces off by {rms:.1e}")
    return wrong, worst, rms


def check(program, folder, reference, scratch, text):
    """One setting in three ways: (what is wrong, a line about the numbers)."""
    (scratch / "run.inp").write_text(text)
    alone = evaluate(program, scratch, "alone")
    if isinstance(alone[0], str):
        return ["refused"], alone[0]
    wrong, energy, force = differences(*alone, reference, folder, FORCE)
    line = f"energies {energy:.1e}, forces {force:.1e}"
    if shutil.which("mpirun"):
        three = evaluate(program, scratch, "three", ranks=3)
        if isinstance(three[0], str):
            wrong.append(f"three ranks: {three[0]}")
        elif three[0]["energies"] != alone[0]["energies"] or three[1] != alone[1]:
            wrong.append("three ranks: other bits")
    kernels = evaluate(program, scratch, "kernels", precision="mixed", extra=("--set", 'hardware.gpu="host"'))
    if isinstance(kernels[0], str):
        return [*wrong, f"kernels: {kernels[0]}"], line
    off, energy, force = differences(*kernels, reference, folder, SINGLE)
    return wrong + [f"kernels: {text}" for text in off], line + f"; kernels {energy:.1e}, {force:.1e}"


def main():
    program, source, *words = sys.argv[1:]
    data = Path(os.environ.get("MDSIM_REFDATA", Path(source) / ".." / "shared" / "refdata")).resolve()
    if not data.is_dir():
        print("skipped: there is no folder of reference systems (MDSIM_REFDATA)")
        sys.exit(SKIPPED)
    everything = sorted(path.parent.name for path in data.glob("*/reference.json"))
    systems = everything if "--all" in words else [word for word in words if word[0] != "-"] or SMALL
    bad = count = 0
    for system in systems:
        of = json.loads((data / system / "reference.json").read_text())
        for name, setting in of.get("settings", {}).items():
            text = input_of(data / system, setting["settings"], of.get("box_nm_rows"))
            if text is None:
                continue
            count, began = count + 1, time.monotonic()
            with tempfile.TemporaryDirectory(prefix="mdsim-reference-") as scratch:
                file = data / system / f"forces.{name}.reference.csv.gz"
                wrong, line = check(program, file, setting["reference"], Path(scratch), text)
            bad += bool(wrong)
            print(f"{system} {name}: {line} {'; '.join(wrong)} ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{count - bad} of {count} as they should be")
    sys.exit(1 if bad or count == 0 else 0)


if __name__ == "__main__":
    main()
