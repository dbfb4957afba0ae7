# SPDX-License-Identifier: Apache-2.0
"""What the tests that drive the built program share: small systems, inputs, runs and comparisons."""

import importlib.util
import math
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
FINISHED, INTERNAL, INPUT, UNSTABLE, IO, STOPPED = 0, 1, 2, 3, 74, 75


class Failure(Exception):
    """A check that did not hold."""


def require(condition, message):
    if not condition:
        raise Failure(message)


class Result:
    """How a command ended."""

    def __init__(self, command, completed):
        self.command = " ".join(str(word) for word in command)
        self.code = completed.returncode
        self.out = completed.stdout
        self.err = completed.stderr

    def __str__(self):
        return f"$ {self.command}\nexit {self.code}\n{self.out[-1500:]}\n{self.err[-3000:]}"


class Program:
    """The program under test."""

    def __init__(self, path, threads=2):
        self.path = str(Path(path).resolve())
        self.threads = threads
        self.started = []

    def run(self, folder, *arguments, expect=None, threads=None, prepare=None, timeout=300, variables=None):
        """Runs it in `folder`; `expect` is the exit code that is wanted, `variables` are added to the environment."""
        command = [self.path, *map(str, arguments)]
        if "--threads" not in command and not {"info", "convert"} & set(command):
            command += ["--threads", str(threads or self.threads)]
        completed = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=timeout, preexec_fn=prepare,
            env={**os.environ, **(variables or {})},
        )
        result = Result(command, completed)
        if expect is not None:
            require(result.code == expect, f"expected exit code {expect}\n{result}")
        return result

    def start(self, folder, *arguments, prepare=None):
        """Starts it without waiting; its messages go to a file, so that no pipe can hold it up."""
        command = [self.path, *map(str, arguments), "--threads", str(self.threads)]
        with open(Path(folder) / "messages.txt", "ab") as messages:
            process = subprocess.Popen(command, cwd=folder, stdout=messages, stderr=messages, preexec_fn=prepare)
        self.started.append(process)
        return process

    def end_started(self):
        """A test that fails leaves nothing running."""
        while self.started:
            end(self.started.pop())


# ---- systems ----

WATER_TYPES = """\
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 16.00  0.0 A 3.15061e-01 6.36386e-01
HW 1  1.008 0.0 A 0.0 0.0
CT 6 12.01  0.0 A 3.39967e-01 4.57730e-01
HC 1  1.008 0.0 A 2.47135e-01 6.56888e-02
OH 8 16.00  0.0 A 3.06647e-01 8.80314e-01
HO 1  1.008 0.0 A 0.0 0.0
"""

# Methanol: a constraint group of four atoms and one of two, angles and a dihedral.
METHANOL = """\
[ moleculetype ]
MOH 3
[ atoms ]
1 CT 1 MOH CT  1  0.1166 12.01
2 HC 1 MOH H1  1  0.0372 1.008
3 HC 1 MOH H2  1  0.0372 1.008
4 HC 1 MOH H3  1  0.0372 1.008
5 OH 1 MOH OH  1 -0.6497 16.00
6 HO 1 MOH HO  1  0.4215 1.008
[ bonds ]
1 2 1 0.1090 284512
1 3 1 0.1090 284512
1 4 1 0.1090 284512
1 5 1 0.1410 267776
5 6 1 0.0960 462750
[ pairs ]
2 6 1
3 6 1
4 6 1
[ angles ]
2 1 3 1 109.5 292.88
2 1 4 1 109.5 292.88
3 1 4 1 109.5 292.88
2 1 5 1 109.5 418.40
3 1 5 1 109.5 418.40
4 1 5 1 109.5 418.40
1 5 6 1 108.5 460.24
[ dihedrals ]
2 1 5 6 9 0.0 0.6973 3
3 1 5 6 9 0.0 0.6973 3
4 1 5 6 9 0.0 0.6973 3
"""

WATER = """\
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1 -0.834 16.00
2 HW 1 SOL HW1 1  0.417 1.008
3 HW 1 SOL HW2 1  0.417 1.008
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
2 1 3
3 1 2
"""

METHANOL_ATOMS = [
    ("CT", (0.000, 0.000, 0.000)),
    ("H1", (-0.036, 0.103, 0.000)),
    ("H2", (-0.036, -0.051, 0.089)),
    ("H3", (-0.036, -0.051, -0.089)),
    ("OH", (0.141, 0.000, 0.000)),
    ("HO", (0.171, -0.091, 0.000)),
]
WATER_ATOMS = [("OW", (0.0, 0.0, 0.0)), ("HW1", (0.09572, 0.0, 0.0)), ("HW2", (-0.02399, 0.09266, 0.0))]


def random_rotation(numbers):
    """A function that turns a vector by a random unit quaternion."""
    q = [numbers.gauss(0.0, 1.0) for _ in range(4)]
    w, x, y, z = (c / math.sqrt(sum(c * c for c in q)) for c in q)

    def turn(r):
        return (
            (1 - 2 * (y * y + z * z)) * r[0] + 2 * (x * y - w * z) * r[1] + 2 * (x * z + w * y) * r[2],
            2 * (x * y + w * z) * r[0] + (1 - 2 * (x * x + z * z)) * r[1] + 2 * (y * z - w * x) * r[2],
            2 * (x * z - w * y) * r[0] + 2 * (y * z + w * x) * r[1] + (1 - 2 * (x * x + y * y)) * r[2],
        )

    return turn


def solution(folder, edge=7, methanols=8, seed=5):
    """Methanol in water on a cubic grid of edge^3 places, 0.32 nm apart, as box.top and box.gro."""
    numbers = random.Random(seed)
    spacing = 0.32
    places = [(i, j, k) for i in range(edge) for j in range(edge) for k in range(edge)]
    numbers.shuffle(places)
    lines = []
    for n, place in enumerate(places):
        turn = random_rotation(numbers)
        name, atoms = ("MOH", METHANOL_ATOMS) if n < methanols else ("SOL", WATER_ATOMS)
        for atom, r in atoms:
            x = [c + spacing * (p + 0.5) for c, p in zip(turn(r), place)]
            lines.append(
                f"{(n + 1) % 100000:5d}{name:<5}{atom:>5}{(len(lines) + 1) % 100000:5d}"
                f"{x[0]:8.3f}{x[1]:8.3f}{x[2]:8.3f}\n"
            )
    length = edge * spacing
    text = f"methanol in water\n{len(lines)}\n" + "".join(lines) + f"{length:10.5f}{length:10.5f}{length:10.5f}\n"
    folder = Path(folder)
    (folder / "box.gro").write_text(text)
    molecules = f"[ molecules ]\nMOH {methanols}\nSOL {len(places) - methanols}\n"
    (folder / "box.top").write_text(WATER_TYPES + METHANOL + WATER + "[ system ]\nmethanol in water\n" + molecules)


HEAD = """\
[system]
topology = "box.top"
coordinates = "box.gro"
velocities = "generate"
[forces]
cutoff = "0.7 nm"
"""

OUTPUT = """\
[output]
trajectory = { every = "5 steps", format = ["h5md", "xtc", "trr", "dcd", "netcdf", "gro"], velocities = true, forces = true }
energies = { every = "4 steps" }
log = { every = "10 steps" }
"""

RELAX = """\
[[stage]]
name = "relax"
kind = "minimise"
max_steps = 60
stop_below = "10 kJ/mol/nm"
"""


def dynamics(name, steps, keys):
    """A stage of dynamics of `steps` steps of 2 fs."""
    head = f'[[stage]]\nname = "{name}"\nkind = "dynamics"\nduration = "{2 * steps} fs"\ntimestep = "2 fs"\n'
    return head + keys + "\n"


HEAT = dynamics(
    "heat",
    20,
    """temperature = { from = "100 K", to = "300 K" }
restrain = [{ select = "resname MOH and not element H", force_constant = "1000 kJ/mol/nm^2" }]""",
)
PRODUCE = dynamics("produce", 30, 'temperature = "300 K"\npressure = "1 bar"')


# ---- what a run has left ----


def state_line(text):
    """The last `state step=... hash=...` of a log or of what the program printed."""
    found = re.findall(r"^state step=(\d+) time=(\S+) ps hash=([0-9a-f]{16})$", text, re.MULTILINE)
    require(found, f"no state line in\n{text[-2000:]}")
    return found[-1]


def state_of(folder, name="run"):
    return state_line((Path(folder) / f"{name}.log").read_text())


# What depends on the clock and the machine, and why a run was stopped.
TIMED = re.compile(r"ns/day|share of time:|^  device:|^memory:|^mdsim |^\d+ ranks?, \d+ thread|^stopping "
                   r"|^ +\d+ +\S+ +\S+ +\S+ +[\d,-]+ +\d+ +\S+$")  # the last one: a rank of the table of placements


def untimed(log, drop=()):
    """A log without what depends on the clock, the machine and the keys in `drop`."""
    lines = [re.sub(r"\s+\d+:\d\d:\d\d left$", "", line) for line in log.splitlines()]
    return [line for line in lines if not TIMED.search(line) and not any(key in line for key in drop)]


def require_same_lines(a, b, what):
    for n, (one, other) in enumerate(zip(a, b), 1):
        require(one == other, f"{what} differ in line {n}:\n  {one}\n  {other}")
    require(len(a) == len(b), f"{what} have {len(a)} and {len(b)} lines")


def require_same_bytes(a, b):
    one, other = Path(a).read_bytes(), Path(b).read_bytes()
    if one == other:
        return
    at = next((n for n, (x, y) in enumerate(zip(one, other)) if x != y), min(len(one), len(other)))
    raise Failure(f"{a} ({len(one)} bytes) and {b} ({len(other)} bytes) differ from byte {at}")


def h5_contents(path):
    """Every dataset and attribute of an HDF5 file, or None where nothing here can read it."""
    try:
        import h5py
    except ImportError:
        if shutil.which("h5dump") is None:
            return None
        # All digits: six are shown otherwise.
        command = ["h5dump", "-m", "%.17g", path]
        dump = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return {"dump": dump.split("\n", 1)[1]}
    contents = {}

    def add(name, item):
        contents.update({f"{name}@{key}": repr(item.attrs[key]) for key in sorted(item.attrs)})
        if isinstance(item, h5py.Dataset):
            value = item[()]
            contents[name] = (str(item.dtype), item.shape, value.tobytes() if hasattr(value, "tobytes") else value)

    with h5py.File(path, "r") as file:
        file.visititems(add)
        # visititems shows a hard link once; the others must be there all the same.
        for group in file["particles"].values():
            for name, element in group.items():
                if isinstance(element, h5py.Group) and "step" in element:
                    contents[f"steps of {name}"] = element["step"][()].tobytes()
    return contents


def can_read_h5():
    return importlib.util.find_spec("h5py") is not None or shutil.which("h5dump") is not None


def require_same_h5(a, b):
    one, other = h5_contents(a), h5_contents(b)
    if one is None or other is None:
        print(f"not compared, for want of h5py and h5dump: {a}")
        return
    require(one.keys() == other.keys(), f"{a} and {b} hold different things: {sorted(one.keys() ^ other.keys())}")
    for key in one:
        require(one[key] == other[key], f"{key} of {a} and {b} differ")


def require_same_run(a, b, name="run", drop=()):
    """Two folders hold the same run: state, energies, trajectories and log."""
    a, b = Path(a), Path(b)
    require(state_of(a, name) == state_of(b, name), f"states differ: {a} {state_of(a, name)}, {b} {state_of(b, name)}")
    for file in sorted(a.glob(f"{name}*")):
        if file.name.endswith((".csv", ".xtc", ".trr", ".dcd", ".nc", ".gro")):
            require_same_bytes(file, b / file.name)
        elif file.name.endswith(".h5") and "checkpoint" not in file.name:
            require_same_h5(file, b / file.name)
    require_same_lines(
        untimed((a / f"{name}.log").read_text(), drop),
        untimed((b / f"{name}.log").read_text(), drop),
        f"logs of {a} and {b}",
    )


_relaxed = None


def relaxed(program):
    """A folder with a finished run of one stage, a minimisation of methanol in water. Made once; copies of it are
    continued with appended stages."""
    global _relaxed
    if _relaxed is None:
        _relaxed = tempfile.TemporaryDirectory(prefix="mdsim-test-relaxed-")
        folder = Path(_relaxed.name)
        solution(folder, edge=6)
        (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX)
        program.run(folder, "-i", "run.inp", expect=FINISHED)
    return Path(_relaxed.name)


def continued_copy(program, parent, name, stages):
    """A copy of the relaxed run in which these stages are still to do."""
    folder = Path(parent) / name
    shutil.copytree(relaxed(program), folder, symlinks=True)
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX + stages)
    return folder


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*")
                  if path.is_file() and not path.is_symlink())


# ---- tests ----


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < end, f"waited {seconds} s for {what}")
        time.sleep(0.01)


def main(tests, arguments=None):
    """Calls every test with the program, an empty folder and the source folder; exit code 1 where one fails."""
    arguments = arguments or sys.argv
    if len(arguments) < 3:
        sys.exit(f"usage: {arguments[0]} PROGRAM SOURCE_DIR [TEST...]")
    program, source, wanted = Program(arguments[1]), Path(arguments[2]).resolve(), arguments[3:]
    failed = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        began = time.monotonic()
        # A folder for marks of GPUs of its own: a test that runs at the same time is no other user of the GPU.
        with tempfile.TemporaryDirectory(prefix="mdsim-test-") as folder, tempfile.TemporaryDirectory() as runtime:
            os.environ["XDG_RUNTIME_DIR"] = runtime
            try:
                test(program, Path(folder), source)
                verdict = "passed"
            except (Failure, subprocess.TimeoutExpired) as failure:
                failed += 1
                verdict = f"FAILED\n{failure}\n"
            program.end_started()
        print(f"{test.__name__}: {verdict} ({time.monotonic() - began:.1f} s)", flush=True)
    sys.exit(1 if failed else 0)


def end(process, kind=signal.SIGKILL):
    """Sends a signal to a process that this test has started, and waits for it."""
    if process.poll() is None:
        process.send_signal(kind)
    return process.wait(timeout=300)


def ranks_in(folder):
    """Processes of the program that run in a folder, by rank."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or (entry / "comm").read_text().strip() != "mdsim":
                continue
            if (entry / "cwd").readlink() != Path(folder):
                continue
            variables = dict(v.split(b"=", 1) for v in (entry / "environ").read_bytes().split(b"\0") if b"=" in v)
        except OSError:  # it has ended meanwhile
            continue
        rank = next((variables[key] for key in (b"OMPI_COMM_WORLD_RANK", b"PMIX_RANK") if key in variables), b"0")
        found[int(rank)] = int(entry.name)
    return found


STAND_STILL = '[debug]\nstand_still_at_step = {}\n'  # of an input: what is done to a run then does not depend on the clock


def wait_until_still(folder, count, seconds=300, name="run"):
    """Waits until that many ranks stand still as their input asks, which then asks for it no more. By rank."""
    def still():
        ranks = ranks_in(folder)
        return len(ranks) == count and all(state_of_process(process) == "T" for process in ranks.values())

    wait_for(still, seconds, f"{count} ranks that stand still")
    stand_still_no_more(folder, name)
    return ranks_in(folder)


def stand_still_no_more(folder, name="run"):
    path = Path(folder) / f"{name}.inp"
    path.write_text(re.sub(re.escape(STAND_STILL).replace(r"\{\}", r"\d+"), "", path.read_text()))


def state_of_process(process):
    """Its letter: R, S, T for one that stands still; empty for one that has ended."""
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def has_waiting(process, number):
    """Whether a signal waits for a process that stands still."""
    try:
        status = (Path("/proc") / str(process) / "status").read_text()
    except OSError:
        return False
    return any(int(mask, 16) >> (number - 1) & 1 for mask in re.findall(r"^(?:Sig|Shd)Pnd:\s*(\w+)", status, re.MULTILINE))


def send(ranks, number):
    """A signal to these processes, as far as they are there."""
    for process in ranks.values():
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def limit_file_size(size):
    """For `prepare`: a file that grows beyond `size` [bytes] is refused with EFBIG, as by a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def write_redo_log(path, contents, page=65536):
    """The sealed log from which the program completes an HDF5 file: here its whole `contents`."""
    pages = [contents[at : at + page].ljust(page, b"\0") for at in range(0, len(contents), page)]
    log = b"mdsimRDO" + struct.pack("<QQ", len(contents), len(pages))
    log += b"".join(struct.pack("<Q", number) + bytes(data) for number, data in enumerate(pages))
    seal = 0xCBF29CE484222325
    for byte in log:
        seal = ((seal ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    path.write_bytes(log + struct.pack("<Q", seal))


def fresh_folder(parent, name, *files):
    """A new folder with copies of some files."""
    folder = Path(parent) / name
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder)
    return folder


def is_root():
    return os.geteuid() == 0
