# SPDX-License-Identifier: Apache-2.0
"""Broken inputs: each ends with its exit code, names the place and what to try, and leaves no output behind.

    test_broken_inputs.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import re
import shutil
import subprocess

import harness
from harness import FINISHED, HEAD, HEAT, INPUT, IO, PRODUCE, STOPPED, UNSTABLE, dynamics, require

FIRST_LINE = re.compile(r"^error: \[MD\d{3}\] \S")
SHORT = dynamics("produce", 10, 'temperature = "300 K"')


def require_error(result, code, *words):
    """The form of an error, and these words in it."""
    require(result.code == code, f"expected exit code {code}\n{result}")
    first = result.err.splitlines()[0] if result.err else ""
    require(FIRST_LINE.match(first), f"the message does not begin with error: [MDnnn] ...\n{result}")
    require("\n    try: " in result.err, f"the message says nothing to try\n{result}")
    require("[MD9" not in result.err, f"this is reported as an error of mdsim itself\n{result}")
    for word in words:
        require(word in result.err, f"the message does not speak of {word!r}\n{result}")


def begin(folder, text=HEAD + SHORT, edge=6):
    harness.solution(folder, edge=edge)
    (folder / "run.inp").write_text(text)


def refuse(program, folder, code, *words, arguments=()):
    """Runs it, and --check too where that can find it; nothing may be left."""
    before = harness.files_in(folder)
    require_error(program.run(folder, "-i", "run.inp", *arguments), code, *words)
    require(harness.files_in(folder) == before, f"left behind: {set(harness.files_in(folder)) - set(before)}")


def changed(text, old, new):
    require(old in text, f"the test's own input has no {old!r}")
    return text.replace(old, new)


def edit(path, old, new):
    path.write_text(changed(path.read_text(), old, new))


# Changes of the input file: name -> (old, new, words of the message).
INPUT_CHANGES = {
    "wrong unit": ('"0.7 nm"', '"0.7 kg"', ["run.inp:6", "nm"]),
    "missing unit": ('"0.7 nm"', "0.7", ["run.inp:6", "nm"]),
    "unknown key": ("cutoff =", "cutof =", ["run.inp:6", "cutoff"]),
    "unknown section": ("[forces]", "[force]", ["run.inp:5", "forces"]),
    "not TOML": ('"0.7 nm"', '"0.7 nm', ["run.inp:6"]),
    "missing topology": ('"box.top"', '"absent.top"', ["run.inp:2", "absent.top"]),
    "missing coordinates": ('"box.gro"', '"absent.gro"', ["run.inp:3", "absent.gro"]),
    "cutoff too long": ('"0.7 nm"', '"0.99 nm"', ["run.inp", "0.959"]),
    "velocities that are not there": ('"generate"', '"file"', ["box.gro", "generate"]),
    "no temperature": ('temperature = "300 K"', 'thermostat = "none"', ["run.inp", "temperature"]),
    "half a step": ('"20 fs"', '"21 fs"', ["run.inp:10", "0.021 ps"]),
    "malformed selection": (
        'temperature = "300 K"',
        'temperature = "300 K"\nfreeze = "resname and"',
        ["run.inp", "resname and"],
    ),
    "selection of nothing": (
        'temperature = "300 K"',
        'temperature = "300 K"\nfreeze = "resname XYZ"',
        ["run.inp", "resname XYZ"],
    ),
    "restraint of nothing": (
        'temperature = "300 K"',
        'temperature = "300 K"\nrestrain = [{ select = "protein", force_constant = "1000 kJ/mol/nm^2" }]',
        ["run.inp", "protein"],
    ),
    "restraint to a missing file": (
        'temperature = "300 K"',
        'temperature = "300 K"\n'
        'restrain = [{ select = "water", force_constant = "1000 kJ/mol/nm^2", to = "absent.gro" }]',
        ["absent.gro"],
    ),
    "half a ramp": ('"300 K"', '{ from = "10 K" }', ["run.inp:12", "'to'"]),
    "steps beyond counting": ('"20 fs"', '"1e30 ps"', ["run.inp:10", "steps"]),
    "coordinates that are a topology": ('"box.gro"', '"box.top"', ["box.top", ".gro"]),
    "negative time": ('"20 fs"', '"-20 fs"', ["run.inp"]),
}


def test_input_file(program, folder, source):
    for name, (old, new, words) in INPUT_CHANGES.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        begin(place, changed(HEAD + SHORT, old, new))
        try:
            refuse(program, place, INPUT, *words)
            result = program.run(place, "-i", "run.inp", "--check")
            require_error(result, INPUT, *words)
        except harness.Failure as failure:
            raise harness.Failure(f"{name}: {failure}") from failure


def test_several_at_once(program, folder, source):
    text = changed(changed(HEAD + SHORT, '"0.7 nm"', "0.7"), "velocities", "velocitys")
    begin(folder, changed(text, '"20 fs"', '"20 f"'))
    result = program.run(folder, "-i", "run.inp")
    require_error(result, INPUT, "run.inp:4", "run.inp:6", "run.inp:10")
    require(result.err.count("error: [MD") == 3, f"not all problems at once\n{result}")


def test_no_stages(program, folder, source):
    begin(folder, HEAD)
    refuse(program, folder, INPUT, "run.inp", "[[stage]]")


def test_command_line(program, folder, source):
    begin(folder)
    refuse(program, folder, INPUT, "cutoff", arguments=("--set", 'forces.cutof="1 nm"'))
    refuse(program, folder, INPUT, "--set", arguments=("--set", "forces.cutoff"))
    refuse(program, folder, INPUT, "--set", arguments=("--set", "forces.cutoff=1 nm"))
    refuse(program, folder, INPUT, "nm", arguments=("--set", "forces.cutoff=1.0"))
    refuse(program, folder, INPUT, "other", arguments=("--set", 'stage.other.duration="1 ps"'))
    refuse(program, folder, INPUT, "--nonsense", arguments=("--nonsense",))
    require_error(program.run(folder), INPUT, "input")
    require_error(program.run(folder, "validate", "--help"), INPUT, 'no command "validate"', "does not have it yet", "info")
    require_error(program.run(folder, "run.inp"), INPUT, 'no command "run.inp"', "-i FILE.inp")
    require_error(program.run(folder, "-i", "absent.inp"), INPUT, "absent.inp")
    require_error(program.run(folder, "-i", "."), INPUT, ".")
    require_error(program.run(folder, "info", "absent.gro"), INPUT, "absent.gro")


# Changes of topology and coordinates: name -> (file, old, new, words of the message).
FILE_CHANGES = {
    "atom count": ("box.top", "SOL 208", "SOL 207", ["box.top", "box.gro", "672", "669"]),
    "atom name": ("box.gro", "H3", "HX", ["box.gro", "H3", "HX", "MOH"]),
    "no mass": ("box.top", "1 OW 1 SOL OW  1 -0.834 16.00", "1 OW 1 SOL OW  1 -0.834 0.00", ["box.top", "OW", "SOL"]),
    "unknown directive": ("box.top", "[ system ]", "[ nonsense ]\n1 2 3\n[ system ]", ["box.top:", "nonsense"]),
    "unknown atom type": ("box.top", "1 CT 1 MOH", "1 CX 1 MOH", ["box.top:", "CX"]),
    "malformed number": ("box.top", "0.1090 284512", "0.1o90 284512", ["box.top:", "0.1o90"]),
    "missing include": ("box.top", "[ system ]", '#include "absent.itp"\n[ system ]', ["box.top:", "absent.itp"]),
    "open condition": ("box.top", "[ system ]", "#ifdef X\n[ system ]", ["box.top:"]),
    "constraint of an atom to itself": ("box.top", "5 6 1 0.0960", "6 6 1 0.0960", ["box.top", "6"]),
    "includes itself": ("box.top", "[ system ]", '#include "box.top"\n[ system ]', ["box.top:53", "never ends"]),
    "molecules beyond counting": ("box.top", "SOL 208", "SOL 99999999999999", ["box.top:57", "molecules"]),
    "atoms beyond the coordinates": ("box.top", "SOL 208", "SOL 2000000000", ["box.gro", "672", "6000000048", "SOL 217"]),
    "B state": ("box.top", "CT  1  0.1166 12.01", "CT  1  0.1166 12.01 CT 0.2 12.01", ["box.top:13", "B-state"]),
    "Buckingham": ("box.top", "1 2 yes", "2 2 yes", ["box.top:2", "Buckingham"]),
    "tabulated bond": ("box.top", "[ angles ]", "[ bonds ]\n1 2 8 0 1000\n[ angles ]", ["box.top:30", "tabulated"]),
    "no number": ("box.top", "-0.834", "nan", ["box.top:44", "nan"]),
    "two lengths for one bond": (
        "box.top", "[ angles ]", "[ settles ]\n1 1 0.1 0.15\n[ angles ]", ["MOH", "two fixed distances", "0.109", "settles"]
    ),
    "water that is no triangle": ("box.top", "1 1 0.09572 0.15139", "1 1 0.05 0.15139", ["box.top:", "triangle"]),
}


def test_files(program, folder, source):
    for name, (file, old, new, words) in FILE_CHANGES.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        begin(place)
        edit(place / file, old, new)
        try:
            refuse(program, place, INPUT, *words)
        except harness.Failure as failure:
            raise harness.Failure(f"{name}: {failure}") from failure


def test_coordinates(program, folder, source):
    lines = None
    for name, word in (("nan", "nan"), ("letters", "x.yz"), ("stars", "********"), ("cut", None), ("no-box", None)):
        place = folder / name
        place.mkdir()
        begin(place)
        lines = (place / "box.gro").read_text().splitlines()
        if name == "cut":
            lines = lines[: len(lines) // 2]
        elif name == "no-box":
            lines[-1] = "   0.00000   0.00000   0.00000"
        else:
            lines[9] = lines[9][:20] + f"{word:>8}" + lines[9][28:]
        (place / "box.gro").write_text("\n".join(lines) + "\n")
        refuse(program, place, INPUT, "box.gro")


def test_truncated_prmtop(program, folder, source):
    amber = source / "inputs" / "ubiquitin-amber"
    text = (amber / "ubiquitin.prmtop").read_bytes()
    shutil.copy(amber / "ubiquitin.inpcrd", folder)
    head = HEAD.replace("box.top", "ubiquitin.prmtop").replace("box.gro", "ubiquitin.inpcrd")
    (folder / "run.inp").write_text(head + SHORT)
    # In the middle of each section, used for forces or not; a whole line short and within a number.
    starts = [m.start() for m in re.finditer(rb"^%FLAG", text, re.M)] + [len(text)]
    for start, end in zip(starts, starts[1:]):
        name = text[start:end].split()[1].decode()
        data = start + [m.end() for m in re.finditer(rb"\n", text[start:end])][1]
        middle = text.rfind(b"\n", start, (data + end) // 2) + 1
        cuts = [middle if middle > data else data]
        if cuts[0] + 5 < end - 1 and name not in ("RADIUS_SET", "TITLE"):
            cuts.append(cuts[0] + 5)
        for cut in cuts:
            (folder / "ubiquitin.prmtop").write_bytes(text[:cut])
            try:
                refuse(program, folder, INPUT, "ubiquitin.prmtop:", "section")
            except harness.Failure as failure:
                raise harness.Failure(f"cut at byte {cut}, in {name}: {failure}") from failure


def test_broken_restart(program, folder, source):
    amber = source / "inputs" / "ubiquitin-amber"
    shutil.copy(amber / "ubiquitin.prmtop", folder)
    head = HEAD.replace("box.top", "ubiquitin.prmtop").replace("box.gro", "u.inpcrd")
    (folder / "run.inp").write_text(head + SHORT)
    text = (amber / "ubiquitin.inpcrd").read_text()
    lines = text.splitlines(keepends=True)
    box = len(lines)
    for broken, words in (
        ("", ["empty"]),
        (text.replace("19195", "19190", 1), ["u.inpcrd:9598", "19190"]),
        (text[: len(text) // 2], ["u.inpcrd:2", "cut off"]),
        (text[:-20], [f"u.inpcrd:{box}", "6 were expected"]),
        ("".join([*lines[:2], "*" * 12, lines[2][12:], *lines[3:]]), ["u.inpcrd:3:1", "****"]),
        ("".join([*lines[:-1], lines[-1][:36] + "   0.0000000" * 3 + "\n"]), [f"u.inpcrd:{box}", "no box"]),
    ):
        (folder / "u.inpcrd").write_text(broken)
        refuse(program, folder, INPUT, "u.inpcrd", *words)


def test_blow_up(program, folder, source):
    begin(folder, HEAD + dynamics("produce", 500, 'temperature = "300 K"').replace('"2 fs"', '"100 fs"').replace(
        '"1000 fs"', '"50 ps"'))
    result = program.run(folder, "-i", "run.inp")
    require_error(result, UNSTABLE, "timestep")


def test_unwritable_directory(program, folder, source):
    begin(folder)
    (folder / "file").write_text("this is no directory\n")
    for directory in ("file/below", f"{os.sep}proc/mdsim"):
        refuse(program, folder, IO, directory.split("/")[-1], arguments=("--set", f'output.directory="{directory}"'))
    if not harness.is_root():
        (folder / "closed").mkdir(mode=0o555)
        refuse(program, folder, IO, "closed", arguments=("--set", 'output.directory="closed"'))


def test_existing_files(program, folder, source):
    begin(folder)
    (folder / "run.log").write_text("precious\n")
    refuse(program, folder, IO, "run.log", "--restart")
    require((folder / "run.log").read_text() == "precious\n", "an existing file was changed")


def test_device_full(program, folder, source):
    begin(folder, HEAD)
    if not os.path.exists("/dev/full"):
        print("no /dev/full here")
        return
    # A rename onto a device would replace the device, so the text goes there through a link of its own.
    with open("/dev/full", "w") as full:
        completed = subprocess.run(
            [program.path, "energy", "-i", "run.inp", "--json"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True
        )
    require(completed.returncode == IO, f"output to a full device: exit {completed.returncode}, {completed.stderr}")
    require(completed.stderr.startswith("error: [MD6"), completed.stderr)


LONG = HEAT + PRODUCE + dynamics("go-on", 60, 'temperature = "300 K"')
CHECKPOINTS = ("--set", 'output.checkpoint.every="10 steps"')


def test_file_too_large(program, folder, source):
    """The trajectory meets a limit; what was there before continues to the end of an undisturbed run."""
    reference = harness.continued_copy(program, folder, "reference", LONG)
    program.run(reference, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    full = harness.continued_copy(program, folder, "full", LONG)
    limit = harness.limit_file_size((reference / "run.h5").stat().st_size * 2 // 3)
    result = program.run(full, "-i", "run.inp", *CHECKPOINTS, prepare=limit)
    require_error(result, IO, "run.")
    left = [f for f in harness.files_in(full) if f.endswith((".new", ".redo"))]
    require(not left, f"half-written files are left: {left}")
    program.run(full, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    harness.require_same_run(reference, full)


def test_full_disk(program, folder, source):
    """The same on a file system that is really full."""
    reference = harness.continued_copy(program, folder, "reference", LONG)
    room = 2 * sum(path.lstat().st_size for path in reference.iterdir())
    program.run(reference, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    begun = harness.continued_copy(program, folder, "begun", LONG)
    disk = folder / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True).returncode != 0:
        print("no tmpfs can be mounted here; test_file_too_large stands for it")
        return
    try:
        for path in begun.iterdir():
            shutil.copy(path, disk, follow_symlinks=False)
        result = program.run(disk, "-i", "run.inp", *CHECKPOINTS)
        require_error(result, IO, "run.", "disk")
        # A sealed .redo is the way back for an HDF5 file that was being changed; the next start completes it.
        left = [f for f in harness.files_in(disk) if f.endswith(".new")]
        require(not left, f"half-written files are left: {left}")
        grown = subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], capture_output=True, text=True)
        require(grown.returncode == 0, grown.stderr)
        program.run(disk, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
        harness.require_same_run(reference, disk)
    finally:
        subprocess.run(["umount", str(disk)], capture_output=True)


def damage(path):
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) // 2 + 64):
        data[at] ^= 0x5A
    path.write_bytes(bytes(data))


def test_damaged_checkpoints(program, folder, source):
    reference = harness.continued_copy(program, folder, "reference", HEAT)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    run = harness.continued_copy(program, folder, "run", HEAT)
    newest, previous = run / "run.checkpoint.h5", run / "run.checkpoint.previous.h5"
    for step, harm in ((7, damage), (12, lambda path: path.write_bytes(path.read_bytes()[:3000]))):
        stop = ("--set", f"debug.stop_at_step={step}")
        program.run(run, "-i", "run.inp", *CHECKPOINTS, *stop, expect=STOPPED)
        harm(newest)
        result = program.run(run, "-i", "run.inp", *stop, expect=STOPPED)
        require("warning: " in result.err and "run.checkpoint.h5" in result.err, f"no warning\n{result}")
        for path in (newest, previous):
            facts = json.loads(program.run(run, "info", path.name, "--json", expect=FINISHED).out)
            require(facts["format"] == "mdsim checkpoint", str(facts))
    damage(newest)
    damage(previous)
    before = {file: (run / file).read_bytes() for file in harness.files_in(run)}
    require_error(program.run(run, "-i", "run.inp"), IO, "run.checkpoint.h5", "--restart")
    require(before == {file: (run / file).read_bytes() for file in harness.files_in(run)}, "files were changed")


def test_fallback_gives_the_same_end(program, folder, source):
    reference = harness.continued_copy(program, folder, "reference", HEAT)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    run = harness.continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", *CHECKPOINTS, "--set", "debug.stop_at_step=17", expect=STOPPED)
    damage(run / "run.checkpoint.h5")
    program.run(run, "-i", "run.inp", expect=FINISHED)
    harness.require_same_run(reference, run, drop=("output.checkpoint", "debug."))


def test_changed_outputs(program, folder, source):
    """Somebody has changed an output between stop and continuation."""
    run = harness.continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=9", expect=STOPPED)
    whole = {file: (run / file).read_bytes() for file in harness.files_in(run)}
    for file in ("run.energies.csv", "run.xtc", "run.log", "run.h5"):
        (run / file).write_bytes(whole[file][: len(whole[file]) // 4])
        require_error(program.run(run, "-i", "run.inp"), IO, file)
        (run / file).unlink()
        require_error(program.run(run, "-i", "run.inp"), IO, file, "--restart")
        (run / file).write_bytes(whole[file])
    edit(run / "run.energies.csv", ",0,", ",9,")
    require_error(program.run(run, "-i", "run.inp"), IO, "run.energies.csv", "--restart")
    (run / "run.energies.csv").write_bytes(whole["run.energies.csv"])
    program.run(run, "-i", "run.inp", expect=FINISHED)


TESTS = [
    test_input_file,
    test_several_at_once,
    test_no_stages,
    test_command_line,
    test_files,
    test_coordinates,
    test_truncated_prmtop,
    test_broken_restart,
    test_blow_up,
    test_unwritable_directory,
    test_existing_files,
    test_device_full,
    test_file_too_large,
    test_full_disk,
    test_damaged_checkpoints,
    test_fallback_gives_the_same_end,
    test_changed_outputs,
]

if __name__ == "__main__":
    harness.main(TESTS)
