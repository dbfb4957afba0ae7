# SPDX-License-Identifier: Apache-2.0
"""The kernels of GPUs on the host back end, through the whole program: every system that mdsim can compute, against
double precision, and the same bits for both widths of warps and any order of threads.

    test_gpu_host.py PROGRAM SOURCE_DIR [--all] [TEST...]

Those of MDSIM_REFDATA (or shared/refdata beside the source folder) too, where there is any. --all: every system in 20
orders for each width (validation/gpu); without it small systems are, the others in one order.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
import systems  # noqa: E402
from harness import FINISHED, INPUT, require  # noqa: E402
from systems import ON_HOST, Result, relative_rms  # noqa: E402

SEEDS = range(1, 21)
FORCES = 3e-5  # RMS of the differences over that of the forces
ENERGIES = 1e-5
# The virial is what attraction and repulsion leave of each other, a tenth of the energies that it comes from.
VIRIAL = 2e-5
everything = False

PME = 'cutoff = "0.8 nm"\nelectrostatics = "pme"\n'
FIELD = 'cutoff = "0.8 nm"\nelectrostatics = "reaction-field"\n'
SMALL = {
    "triclinic": (PME, (2, -1, 1)),
    "vacuum": ('electrostatics = "none"\nlennard_jones = "cut"\n', (0, 0, 0)),
    "reaction-field": (FIELD + "reaction_field_permittivity = 78.0\n", (0, 0, 0)),
}
# Other ways of the kernels, each through one small system.
FORMS = {
    "lj-cut": PME + 'lennard_jones = "cut"\n',
    "lj-shift": PME + 'lennard_jones = "shift"\n',
    "lj-potential-switch": PME + 'lennard_jones = "potential-switch"\nswitch_from = "0.6 nm"\n',
    "lj-force-switch": PME + 'lennard_jones = "force-switch"\nswitch_from = "0.6 nm"\n',
    "lj-charmm-force-switch": PME + 'lennard_jones = "charmm-force-switch"\nswitch_from = "0.6 nm"\n',
    "mesh-order-4": PME + "mesh_order = 4\n",
    "mesh-order-6": PME + "mesh_order = 6\n",
    "mesh-odd": PME + "mesh = [21, 25, 27]\nmesh_order = 5\n",
    # The rational form of the direct part, where the polynomial is not good enough.
    "strong-splitting": PME + 'ewald_splitting = "5 /nm"\n',
    "prolates": 'cutoff = "0.8 nm"\nelectrostatics = "esp"\n',
    "prolates-order-8": 'cutoff = "0.8 nm"\nelectrostatics = "esp"\nmesh_order = 8\nforce_error = 1e-5\n',
    "ewald": 'cutoff = "0.8 nm"\nelectrostatics = "ewald"\n',
    "cutoff": 'cutoff = "0.8 nm"\nelectrostatics = "cutoff"\n',
    "conducting-field": FIELD,
}


def numbers(report):
    return [x for row in report["virial"] for x in row]


def energy_errors(found, expected):
    """Each term's error, as a part of its tolerance."""
    terms = {name: value for name, value in expected.items() if name not in ("coulomb_total_without_14", "potential")}
    whole = sum(abs(value) for value in terms.values())
    # A term below a hundredth of all is what pairs of both signs have left of each other (0.3 of 150 kJ/mol in a
    # molecule of 14 atoms): its pairs are right to rounding, and what is left has the error of the pairs.
    tolerance = {name: ENERGIES * max(abs(value), 0.01 * whole, 1e-3) for name, value in expected.items()}
    return {name: abs(found[name] - value) / tolerance[name] for name, value in expected.items()}


def agreement(name, found, expected):
    """Fails where a device's result is not that of double precision; gives one line about it."""
    same = {key: value for key, value in found.report["settings"].items() if key != "precision"}
    require(all(expected.report["settings"][key] == value for key, value in same.items()), f"{name}: other settings")
    forces = relative_rms(found.forces, expected.forces)
    worst, share = max(energy_errors(found.energies, expected.energies).items(), key=lambda item: item[1])
    virial = relative_rms(numbers(found.report), numbers(expected.report))
    line = f"{name}: forces {forces:.1e}, energies {share * ENERGIES:.1e} ({worst}), virial {virial:.1e}"
    require(forces < FORCES and share < 1.0 and virial < VIRIAL, line)
    return line


def orders(all_orders):
    """Arguments for each width and order of threads but the first, which is natural order and 32 lanes."""
    chosen = [(64, None)]
    if everything:
        chosen += [(width, seed) for width in (32, 64) for seed in SEEDS]
    elif all_orders:
        chosen += [((32, 64)[seed % 2], seed) for seed in SEEDS]
    else:
        chosen += [(32, 1)]
    for width, seed in chosen:
        arguments = [*ON_HOST, "--set", f"debug.warp_width={width}"]
        yield arguments + (["--set", f"debug.random_order_seed={seed}"] if seed else [])


def check(program, folder, system, all_orders=False):
    """Agreement and bits of one system: None where mdsim refuses it, else whether its forces are others than the CPU's.
    They are the same where atoms overlap so much that both turn to double precision, and may be in a few atoms."""
    path = system.write(folder)
    expected = Result(program, path, "--precision", "double")
    if expected.refused:
        print(f"  {system.name}: not computed by mdsim ({expected.refused[:110]})")
        return None
    found = Result(program, path, *ON_HOST)
    line = agreement(system.name, found, expected)
    count = 1
    for arguments in orders(all_orders):
        threads = 1 + count % 3
        other = Result(program, path, *arguments, threads=threads)
        require(other.bits == found.bits, f"{system.name}: other bits with {' '.join(arguments)} on {threads} threads")
        count += 1
    differs = found.forces != Result(program, path, "--set", 'hardware.gpu="off"').forces
    print(f"  {line}; same bits in {count} orders" + ("" if differs else ", and by the CPU"))
    return differs


def test_small_systems(program, folder, source):
    """Every order of threads."""
    for name, (forces, shear) in SMALL.items():
        require(check(program, folder, systems.solution(folder, name, forces, shear), all_orders=True), name)


def test_mesh_too_large(program, folder, source):
    """An input error, before any of it is made."""
    path = systems.solution(folder, "huge-mesh", PME + "mesh_order = 4\n", (0, 0, 0)).write(folder)
    for gpu, code in (("host", INPUT), ("off", FINISHED)):
        mesh = [1100, 1100, 1024] if gpu == "host" else [24, 24, 24]
        result = program.run(folder, "energy", "-i", path, "--set", f"forces.mesh={mesh}", "--set", f'hardware.gpu="{gpu}"')
        require(result.code == code, str(result))
        require(("[MD708]" in result.err and "1100 x 1100 x 1024" in result.err) == (code == INPUT), str(result))


def test_forms(program, folder, source):
    """Every form of Lennard-Jones and electrostatics."""
    shear = (1, 0, 1)
    for name, forces in FORMS.items():
        require(check(program, folder, systems.solution(folder, name, forces, shear)), name)


def test_bundled_systems(program, folder, source):
    for system in systems.bundled(source):
        require(check(program, folder, system), system.name)


def test_reference_data(program, folder, source):
    root = systems.reference_data(source)
    if root is None:
        print("  skipped: no reference data; set MDSIM_REFDATA")
        return
    results = [check(program, folder, system) for system in systems.referenced(root)]
    require(results.count(True) > 25, f"the device has computed {results.count(True)} systems of the reference data")


TESTS = [test_small_systems, test_mesh_too_large, test_forms, test_bundled_systems, test_reference_data]

if __name__ == "__main__":
    everything = "--all" in sys.argv
    harness.main(TESTS, [word for word in sys.argv if word != "--all"])
