# SPDX-License-Identifier: Apache-2.0
"""The engines of run.py: how each is given a system, timed, and asked for its forces and its drift.

All get the same: smooth particle mesh Ewald (mdsim at its defaults, the others at theirs), cutoff 0.9 nm, plain
Lennard-Jones truncated there, constraints on bonds to hydrogen, 2 fs, 300 K by velocity rescaling or Langevin, no output."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = 3600

MDP = """integrator = md
dt = 0.002
nsteps = {steps}
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
vdwtype = cut-off
vdw-modifier = potential-shift
fourierspacing = 0.12
pme-order = 4
constraints = h-bonds
nstcomm = 100
nstcalcenergy = 100
nstenergy = 1000
nstlog = 10000
nstfout = {forces_every}
continuation = yes
tcoupl = {thermostat}
tc-grps = System
tau-t = 0.5
ref-t = 300
"""

DECK = """[system]
topology = "topol.top"
coordinates = "conf.gro"
velocities = "file"
[forces]
cutoff = "0.9 nm"
[output]
trajectory = []
energies = {{ every = "50 steps" }}
[[stage]]
name = "run"
kind = "dynamics"
duration = "{duration} ps"
timestep = "2 fs"
temperature = "300 K"
thermostat = "{thermostat}"
"""


@dataclass
class Timing:
    ms_per_step: float
    megabytes: float  # largest resident memory


def call(command, folder, environment=None):
    """Runs a command to its end: what it printed, and the largest memory it had [MB]."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=said, stderr=subprocess.STDOUT,
                                   env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if process.returncode != 0:
        raise RuntimeError(f"exit {process.returncode}: {' '.join(map(str, command))}\n{text[-3000:]}")
    return text, usage.ru_maxrss / 1024.0


class Mdsim:
    name = "mdsim"

    def __init__(self, program):
        self.program = program

    def prepare(self, folder):
        (folder / "run.inp").write_text(DECK.format(duration=2000, thermostat="v-rescale"))

    def time(self, folder, steps, threads):
        text, megabytes = call([self.program, "bench", "-i", "run.inp", "--steps", steps, "--threads", threads, "--json"],
                               folder)
        return Timing(json.loads(text[text.index("{"):])["ms_per_step"], megabytes)

    def forces(self, folder, keys=(), precision="mixed"):
        """At the start; rows of three, kJ/mol/nm."""
        command = [self.program, "energy", "-i", "run.inp", "--precision", precision, "--forces", "forces.csv"]
        for key in keys:
            command += ["--set", key]
        call(command, folder)
        rows = (line.replace(",", " ").split() for line in (folder / "forces.csv").read_text().splitlines())
        return [[float(word) for word in row[-3:]] for row in rows if re.match(r"^-?[\d.]", row[-1])]

    def drift(self, folder, atoms, picoseconds, threads):
        """Of the total energy [kJ/mol/ns per atom], without its first fifth."""
        (folder / "nve.inp").write_text(DECK.format(duration=picoseconds, thermostat="none"))
        call([self.program, "-i", "nve.inp", "--restart", "--quiet", "--threads", threads], folder)
        lines = (folder / "nve.energies.csv").read_text().splitlines()
        columns = lines[0].split(",")
        when, total = columns.index("time [ps]"), columns.index("total [kJ/mol]")
        rows = [line.split(",") for line in lines[1:]]
        return slope([(float(row[when]), float(row[total])) for row in rows]) * 1000.0 / atoms


class Gromacs:
    """`gmx` on the path. preload: a library that lets it start where a virtual machine hides an instruction from it."""

    name = "GROMACS"

    def __init__(self, preload):
        self.program = shutil.which("gmx")
        self.environment = {**os.environ, "GMX_MAXBACKUP": "-1"}
        if preload:
            self.environment["LD_PRELOAD"] = preload

    def gmx(self, folder, *words):
        return call([self.program, "-quiet", "-nobackup", *words], folder, self.environment)

    def version(self):
        text, _ = call([self.program, "--version"], Path.cwd(), self.environment)
        return re.search(r"GROMACS version:\s*(\S+)", text).group(1)

    def grompp(self, folder, name, **settings):
        (folder / f"{name}.mdp").write_text(MDP.format(**settings))
        self.gmx(folder, "grompp", "-f", f"{name}.mdp", "-c", "conf.gro", "-p", "topol.top", "-o", f"{name}.tpr",
                 "-maxwarn", 9)

    def mdrun(self, folder, name, threads, *words):
        return self.gmx(folder, "mdrun", "-deffnm", name, "-ntmpi", 1, "-ntomp", threads, "-nb", "cpu", *words)

    def prepare(self, folder):
        self.grompp(folder, "run", steps=1000000, forces_every=0, thermostat="v-rescale")

    def time(self, folder, steps, threads):
        _, megabytes = self.mdrun(folder, "run", threads, "-nsteps", steps, "-resetstep", steps // 3, "-notunepme",
                                  "-noconfout", "-pin", "off")
        speed = re.search(r"^Performance:\s+([\d.]+)", (folder / "run.log").read_text(), re.MULTILINE)
        return Timing(0.002 * 86400.0 / float(speed.group(1)), megabytes)

    def forces(self, folder):
        self.grompp(folder, "zero", steps=0, forces_every=1, thermostat="no")
        self.mdrun(folder, "zero", 1)
        text, _ = self.gmx(folder, "dump", "-f", "zero.trr")
        found = re.findall(r"^\s+f\[\s*\d+\]=\{\s*(\S+),\s*(\S+),\s*(\S+)\}", text, re.MULTILINE)
        return [[float(word) for word in row] for row in found]

    def drift(self, folder, atoms, picoseconds, threads):
        self.grompp(folder, "nve", steps=int(picoseconds / 0.002), forces_every=0, thermostat="no")
        self.mdrun(folder, "nve", threads, "-noconfout")
        found = re.search(r"Conserved energy drift:\s+(\S+) kJ/mol/ps per atom", (folder / "nve.log").read_text())
        return 1000.0 * float(found.group(1))


class OpenMM:
    """PyPI's openmm in the given interpreter: its CPU platform, by openmm_job.py."""

    name = "OpenMM"

    def __init__(self, interpreter):
        self.interpreter = interpreter
        self.job = Path(__file__).with_name("openmm_job.py")

    def ask(self, folder, *words):
        text, megabytes = call([self.interpreter, self.job, *words], folder)
        return json.loads(text[text.rindex("\n{") if "\n{" in text else text.index("{"):]), megabytes

    def version(self):
        text, _ = call([self.interpreter, "-c", "import openmm; print(openmm.__version__)"], Path.cwd())
        return text.split()[-1]

    def prepare(self, folder):
        pass

    def time(self, folder, steps, threads):
        answer, megabytes = self.ask(folder, "time", steps, threads)
        return Timing(answer["ms_per_step"], megabytes)

    def forces(self, folder):
        return self.ask(folder, "forces", 0, 1)[0]["forces"]

    def drift(self, folder, atoms, picoseconds, threads):
        answer, _ = self.ask(folder, "drift", int(picoseconds / 0.002), threads)
        return slope(answer["energies"]) * 1000.0 / atoms


def slope(points):
    """Of the straight line through (time, value), the first fifth left out."""
    points = points[len(points) // 5:]
    n = len(points)
    time_mean, value_mean = sum(t for t, _ in points) / n, sum(v for _, v in points) / n
    spread = sum((t - time_mean) ** 2 for t, _ in points)
    return sum((t - time_mean) * (v - value_mean) for t, v in points) / spread


def relative_error(forces, reference):
    """RMS of the difference over RMS of the reference."""
    if len(forces) != len(reference):
        sys.exit(f"{len(forces)} forces where there should be {len(reference)}")
    off = sum((a - b) ** 2 for f, r in zip(forces, reference) for a, b in zip(f, r))
    return (off / sum(b * b for r in reference for b in r)) ** 0.5


