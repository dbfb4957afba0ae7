# SPDX-License-Identifier: Apache-2.0
"""Parts of the device check that must hold: tests, forces, constant energy, equal runs."""

import array
import math
import re
import shutil

import systems
from program import Failed
import energy_fit  # of tests/run, where systems looks

FORCE_ERROR, ENERGY_ERROR = 3e-5, 1e-5  # relative to double precision
LARGEST_DRIFT = 0.02  # [kJ/mol/ns per atom]
MOST_FLUCTUATION = 1.25  # of that on the CPU
TERMS = ("lj_sr", "coulomb_real", "coulomb_recip", "potential")


def start(check):
    """The program starts; and what it runs on."""
    check.say("program", True, check.program.call([check.program.path, "--version"]).strip())
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm", "--format=csv,noheader"]
        check.say("device", None, "; ".join(check.program.call(query).strip().splitlines()))
    plan = check.program.plan(systems.water(check.folder, (1, 1, 1)), check.gpu)
    check.say("choice", None, "; ".join(line.strip() for line in plan.splitlines()[1:3]))


def device_tests(check):
    """Names of the programs."""
    return sorted(p.name for p in check.program.tests.glob("device_*") if p.is_file()) or ["device_*"]


def device_test(check, name):
    text = check.program.call([check.program.tests / name])
    check.say(name, "All tests passed" in text, text.strip().splitlines()[-1].strip("= "))


def force_systems(check):
    """(name, function that makes the system)"""
    if check.host:
        yield "water 3k", lambda: systems.water(check.folder, (1, 1, 1))
    elif check.dhfr_files:
        yield "DHFR", check.dhfr
    yield "ubiquitin", systems.ubiquitin


def read_forces(path):
    """NumPy's format 1.0, numbers of 64 bits."""
    data = path.read_bytes()
    values = array.array("d")
    values.frombytes(data[10 + int.from_bytes(data[8:10], "little") :])
    return values


def forces(check, name, system):
    """Forces and energies of the device against those of the CPU in double precision, on the same mesh."""
    found_at, expected_at = check.folder / f"{name}.npy", check.folder / f"{name}, expected.npy"
    found = check.program.energy(system, check.gpu, forces=found_at)
    chosen = found["settings"]
    keys = (f"forces.mesh={chosen['mesh']}", f"forces.mesh_order={chosen['mesh_order']}",
            f'forces.ewald_splitting="{chosen["ewald_splitting"]!r} /nm"', 'hardware.precision="double"')
    expected = check.program.energy(system, "off", *keys, forces=expected_at)
    f, e = read_forces(found_at), read_forces(expected_at)
    if len(f) != len(e) or not len(e):
        raise Failed(f"{len(f)} and {len(e)} components of forces")
    error = math.sqrt(sum((a - b) ** 2 for a, b in zip(f, e)) / sum(b * b for b in e))
    off = {t: abs(found["energies"][t] / expected["energies"][t] - 1.0) for t in TERMS}
    worst = max(off, key=off.get)
    check.say(name, error < FORCE_ERROR and off[worst] < ENERGY_ERROR,
              f"{len(e) // 3} atoms: forces {error:.1e} (below {FORCE_ERROR:g}), energies {off[worst]:.1e} ({worst}; below {ENERGY_ERROR:g})")


def constant_energy(check):
    """Drift of the total energy, and its fluctuation beside that of the CPU from the same start."""
    if check.host:
        system, steps, settling = systems.water(check.folder, (1, 1, 1)), 30, 0.0
    else:
        system = check.dhfr() if check.dhfr_files else systems.water(check.folder, (3, 3, 1))
        steps, settling = 5000, 2.0
    keys = ('stage.produce.thermostat="none"', f'stage.produce.duration="{2 * steps} fs"', 'output.energies.every="10 steps"')
    if check.host:
        keys = (*keys[:2], 'output.energies.every="1 steps"')
    size = {}
    for gpu in (check.gpu, "off"):
        folder = check.folder / f"constant-energy-{gpu}"
        stem = check.program.run(system, gpu, folder, *keys)
        size[gpu] = energy_fit.fluctuation(folder, stem, settling)
        if gpu == check.gpu:
            drift, error = energy_fit.drift(folder, stem, settling)
    ratio = size[check.gpu] / size["off"]
    check.say("constant energy", abs(drift) < LARGEST_DRIFT + 3.0 * error and ratio < MOST_FLUCTUATION,
              f"{system.name}, {steps} steps: drift {drift:+.4f} +- {error:.4f} kJ/mol/ns per atom (within {LARGEST_DRIFT} and 3 errors), "
              f"fluctuation {ratio:.3f} of the CPU's (below {MOST_FLUCTUATION})")


def equal_runs(check):
    """The same bits from three runs, the last on half the threads."""
    if check.host:
        system, keys = systems.water(check.folder, (1, 1, 1)), ('stage.produce.duration="20 fs"', 'output.energies.every="5 steps"')
    else:
        system, keys = systems.ubiquitin(), ('stage.produce.duration="2 ps"',)
    seen = set()
    for number, threads in enumerate((check.threads, check.threads, max(1, check.threads // 2))):
        folder = check.folder / f"equal-{number}"
        stem = check.program.run(system, check.gpu, folder, *keys, threads=threads)
        state = re.findall(r"^state step=.*$", (folder / f"{stem}.log").read_text(), re.MULTILINE)[-1]
        seen.add((state, (folder / f"{stem}.energies.csv").read_bytes()))
    check.say("three equal runs", len(seen) == 1, f"{system.name}: {state}, {len(seen)} different")
