# SPDX-License-Identifier: Apache-2.0
"""The systems and comparisons that test_gpu_host.py and validation/gpu share."""

import array
import itertools
import json
import math
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, require  # noqa: E402

# More threads than processors are the rule here: those that wait leave theirs to others.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

ON_HOST = ("--set", 'hardware.gpu="host"')
LENNARD_JONES = {
    "cut": "cut",
    "shift": "shift",
    "psw": "potential-switch",
    "fsw_gmx": "force-switch",
    "fsw_charmm": "charmm-force-switch",
}


class System:
    """Files and the [forces] of an input that has nothing else."""

    def __init__(self, name, topology, coordinates, forces):
        self.name, self.topology, self.coordinates, self.forces = name, Path(topology), Path(coordinates), forces

    def write(self, folder):
        """The input file in `folder`."""
        path = Path(folder) / f"{self.name}.inp"
        head = f'[system]\ntopology = "{self.topology.resolve()}"\ncoordinates = "{self.coordinates.resolve()}"\n'
        path.write_text(head + f'constraints = "none"\n[forces]\n{self.forces}')
        return path


# ---- bundled ----


def bundled(source):
    inputs = Path(source) / "inputs"
    pme = 'cutoff = "0.9 nm"\nelectrostatics = "pme"\n'
    argon = 'cutoff = "1.0 nm"\nelectrostatics = "cutoff"\nlennard_jones = "force-switch"\nswitch_from = "0.8 nm"\n'
    amber = inputs / "ubiquitin-amber"
    return [
        System("argon", inputs / "argon/argon.top", inputs / "argon/argon.gro", argon),
        System("water", inputs / "water/water.top", inputs / "water/water.gro", pme),
        System("ubiquitin", inputs / "ubiquitin/ubiquitin.top", inputs / "ubiquitin/ubiquitin.gro", pme),
        System("ubiquitin-amber", amber / "ubiquitin.prmtop", amber / "ubiquitin.inpcrd", pme),
    ]


SPACING = 0.32  # nm between the places of molecules
EDGE = 7  # places along each vector of the box


def wrapped(place, shear):
    """The place in the box that this one is an image of; shear: places that b is shifted along a, c along a and b."""
    x, y, z = place
    n = z // EDGE
    x, y, z = x - n * shear[1], y - n * shear[2], z - n * EDGE
    n = y // EDGE
    return (x - n * shear[0]) % EDGE, y - n * EDGE, z


def neighbours(place, shear, placed):
    """Atoms already placed in the 26 places around this one."""
    for step in itertools.product((-1, 0, 1), repeat=3):
        there = tuple(p + s for p, s in zip(place, step))
        home = wrapped(there, shear)
        shift = [SPACING * (t - h) for t, h in zip(there, home)]
        for r in placed.get(home, ()):
            yield [c + d for c, d in zip(r, shift)]


def placed_apart(atoms, place, shear, placed, numbers):
    """The molecule at its place, turned so that it is as far from others as the best of some turns is."""
    centre = [math.fsum(r[axis] for _, r in atoms) / len(atoms) for axis in range(3)]
    around = list(neighbours(place, shear, placed))
    best, distance = None, -1.0
    for _ in range(15):
        turn = harness.random_rotation(numbers)
        x = [
            [c + SPACING * (p + 0.5) for c, p in zip(turn([a - b for a, b in zip(r, centre)]), place)] for _, r in atoms
        ]
        nearest = min((math.dist(r, other) for r in x for other in around), default=1.0)
        if nearest > distance:
            best, distance = x, nearest
    return best


def solution(folder, name, forces, shear=(0, 0, 0), methanols=8):
    """Methanol in water on a grid, without the clashes that harness.solution has: those the CPU would compute."""
    folder = Path(folder) / name
    folder.mkdir()
    harness.solution(folder, edge=EDGE, methanols=methanols)  # for its topology
    numbers = random.Random(3)
    placed, lines = {}, []
    for n, place in enumerate(itertools.product(range(EDGE), repeat=3)):
        residue, atoms = ("MOH", harness.METHANOL_ATOMS) if n < methanols else ("SOL", harness.WATER_ATOMS)
        # Methanols apart from each other: the places in an order that leaves gaps.
        home = tuple((p * 3) % EDGE for p in place)
        placed[home] = placed_apart(atoms, home, shear, placed, numbers)
        for (atom, _), x in zip(atoms, placed[home]):
            lines.append(f"{n + 1:5d}{residue:<5}{atom:>5}{len(lines) + 1:5d}" + "".join(f"{c:8.3f}" for c in x))
    # xx yy zz xy xz yx yz zx zy
    box = [EDGE, EDGE, EDGE, 0, 0, shear[0], 0, shear[1], shear[2]]
    lines.append(" ".join(f"{SPACING * places:.5f}" for places in box))
    (folder / "box.gro").write_text("\n".join([name, str(len(lines) - 1), *lines]) + "\n")
    return System(name, folder / "box.top", folder / "box.gro", forces)


# ---- reference data ----


def reference_data(source):
    """The folder of reference data, or None where there is none."""
    path = Path(os.environ.get("MDSIM_REFDATA") or Path(source).parent / "shared" / "refdata")
    return path if (path / "README.md").exists() else None


def first(folder, *patterns):
    return next((file for pattern in patterns for file in sorted(folder.glob(pattern))), None)


def forces_of(settings, charged=True):
    if settings.get("vacuum"):
        return 'electrostatics = "none"\nlennard_jones = "cut"\n'
    # Without charges there is nothing to choose a mesh for.
    electrostatics = "pme" if charged else "cutoff"
    text = f'cutoff = "{settings["rc"]} nm"\nelectrostatics = "{electrostatics}"\n'
    text += f'lennard_jones = "{LENNARD_JONES[settings["lj"]]}"\n'
    return text + (f'switch_from = "{settings["rs"]} nm"\n' if "rs" in settings else "")


def referenced(root):
    """Every system and setting of the reference data that has a topology and coordinates of a kind that mdsim reads."""
    systems = []
    for file in sorted(root.glob("*/reference.json")):
        folder = file.parent
        topology = first(folder, "*.prmtop", "*.parm7", "*.top")
        coordinates = first(folder, "*.gro", "*.ascii.rst7", "*.rst7", "*.inpcrd")
        settings = json.loads(file.read_text()).get("settings", {})
        charged = not folder.name.startswith("lj_")
        for name, entry in settings.items() if topology else ():
            forces = forces_of(entry["settings"], charged)
            systems.append(System(f"{folder.name}.{name}", topology, coordinates, forces))
    for topology in sorted((root / "freesolv_vacuum").glob("*/*")):
        if topology.suffix in (".prmtop", ".top"):
            coordinates = first(topology.parent, f"{topology.stem}.inpcrd", f"{topology.stem}.gro")
            name = f"freesolv.{topology.parent.name}.{topology.stem}"
            systems.append(System(name, topology, coordinates, forces_of({"vacuum": True})))
    return systems


# ---- evaluations ----


def read_npy(path):
    """Numbers of a .npy of doubles, in one row."""
    data = Path(path).read_bytes()
    numbers = array.array("d")
    numbers.frombytes(data[10 + int.from_bytes(data[8:10], "little") :])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Result:
    """What `mdsim energy` gives for a system."""

    def __init__(self, program, path, *arguments, threads=None, folder=None):
        """Written into `folder`, that of the input if none is given."""
        folder = Path(folder or path.parent)
        forces = folder / f"{path.stem}.npy"
        result = program.run(
            folder, "energy", "-i", path, "--json", "--forces", forces.name, *arguments, threads=threads
        )
        self.refused = result.err.splitlines()[0] if result.code == harness.INPUT else None
        if self.refused:
            return
        require(result.code == FINISHED, str(result))
        self.report = json.loads(result.out)
        self.energies = self.report["energies"]
        self.bits = (forces.read_bytes(), json.dumps([self.energies, self.report["virial"]]))
        self.forces = read_npy(forces)
        forces.unlink()


def require_forces_of_cpu(program, path, folder):
    """The forces of the host back end are those of the CPU to rounding; gives the RMS of their relative difference."""
    device, cpu = (
        Result(program, path, "--set", f'hardware.gpu="{gpu}"', folder=folder).forces for gpu in ("host", "off")
    )
    difference = relative_rms(device, cpu)
    require(0.0 < difference < 1e-5, f"forces of device and CPU differ by {difference:.1e}")
    return difference


def relative_rms(found, expected):
    """RMS difference over RMS."""
    difference = math.fsum((a - b) ** 2 for a, b in zip(found, expected))
    return math.sqrt(difference / math.fsum(b * b for b in expected))
