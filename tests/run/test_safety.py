# SPDX-License-Identifier: Apache-2.0
"""What could cost somebody data: two processes on one run, a terminal that goes, a disk that fills, an error that
nobody saw.

    test_safety.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import re
import signal
import socket
import subprocess

import harness
from harness import FINISHED, HEAT, INPUT, IO, PRODUCE, STOPPED, UNSTABLE, continued_copy, dynamics, require

LONG = dynamics("produce", 100000, 'temperature = "300 K"')
CHECKPOINTS = ("--set", 'output.checkpoint.every="10 steps"')


def wait_for_steps(run, process):
    log = run / "run.log"
    before = log.read_text().count("  step ")
    harness.wait_for(lambda: process.poll() is not None or log.read_text().count("  step ") > before, 60, "steps")
    require(process.poll() is None, f"the run has ended\n{(run / 'messages.txt').read_text()[-2000:]}")


def require_locked_out(program, run, owner):
    """A second process is refused by the name of the first, with --restart as well, and moves nothing."""
    before = harness.files_in(run)
    for arguments in ((), ("--restart",)):
        result = program.run(run, "-i", "run.inp", *arguments, expect=INPUT, timeout=30)
        for word in ("[MD608]", "run.lock", f"process {owner.pid} ", f"host {socket.gethostname()} ", "try:"):
            require(word in result.err, f"the refusal does not say {word!r}\n{result}")
    require(harness.files_in(run) == before, "a process that was refused has made or moved files")


def test_lock(program, folder, source):
    run = continued_copy(program, folder, "run", LONG)
    process = program.start(run, "-i", "run.inp")
    wait_for_steps(run, process)
    require_locked_out(program, run, process)
    for command in (("-i", "run.inp", "--check"), ("energy", "-i", "run.inp"), ("info", "run.checkpoint.h5")):
        program.run(run, *command, expect=FINISHED)
    # The coordinates of the input fly apart; here it matters that the lock does not stand in the way.
    require("[MD608]" not in program.run(run, "bench", "-i", "run.inp", "--steps", "1").err, "bench wants the lock")
    require(harness.end(process, signal.SIGTERM) == STOPPED, "it could not be stopped")
    require(not (run / "run.lock").exists(), "the lock was left behind by a process that has ended by itself")


def test_lock_of_a_killed_process(program, folder, source):
    run = continued_copy(program, folder, "run", LONG)
    process = program.start(run, "-i", "run.inp")
    wait_for_steps(run, process)
    # Stopped, not dead: it may go on at any time.
    process.send_signal(signal.SIGSTOP)
    require_locked_out(program, run, process)
    harness.end(process)
    require((run / "run.lock").exists(), "this test expects that a killed process leaves the file behind")
    result = program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require(result.err == "" and not (run / "run.lock").exists(), str(result))
    (run / "run.lock").write_text("process 1 on host elsewhere since 2026-01-01T00:00:00Z\n")
    result = program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require(result.err.startswith("warning: ") and "host elsewhere" in result.err, str(result))


def test_one_of_many_starts(program, folder, source):
    """Started together on nothing, in a folder that is still to be made: one runs, no other writes."""
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(harness.HEAD + harness.OUTPUT + harness.RELAX + HEAT)
    arguments = ("-i", "run.inp", "--set", 'output.directory="out"')
    processes = [program.start(folder, *arguments) for _ in range(6)]
    codes = [process.wait(timeout=120) for process in processes]
    # Who comes after the end of the first finds it done.
    require(FINISHED in codes and set(codes) <= {FINISHED, INPUT, IO}, f"exit codes {codes}")
    text = (folder / "out" / "run.log").read_text()
    require(text.count("stage 1 of 2") == 1 and text.count("\nfinished\n") == 1, text)


def test_errors_are_in_the_log(program, folder, source):
    """With the line that every log ends with: the state that a continuation starts from."""
    hot = dynamics("produce", 500, 'temperature = "300 K"').replace('"2 fs"', '"100 fs"').replace('"1000 fs"', '"50 ps"')
    run = continued_copy(program, folder, "run", hot)
    result = program.run(run, "-i", "run.inp", expect=UNSTABLE)
    log = (run / "run.log").read_text()
    require(log.endswith("\n") and result.err.strip() + "\nstopped\nstate step=" in log, log[-1500:])
    require(log.splitlines()[-2] == "stopped", log[-500:])
    facts = json.loads(program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out)
    require(harness.state_line(log)[2] == facts["state_hash"], "the state is not that of the checkpoint")
    result = program.run(run, "-i", "run.inp", expect=UNSTABLE)
    again = (run / "run.log").read_text()
    require(harness.untimed(again) == harness.untimed(log), "the error of the first try is still in the log")


def test_outputs_after_a_failure(program, folder, source):
    """All energies and frames up to an instability are in their files; a continuation cuts them off again."""
    wild = dynamics("wild", 200, 'temperature = "300 K"').replace('"2 fs"', '"6 fs"').replace('"400 fs"', '"1200 fs"')
    stages = dynamics("good", 20, 'temperature = "300 K"') + wild
    often = ("--set", 'output.energies.every="1 steps"', "--set",
             'output.trajectory=[{every="1 steps", format=["h5md", "xtc"]}]')
    run = harness.fresh_folder(folder, "run")
    reference = harness.fresh_folder(folder, "reference")
    for one in (run, reference):
        harness.solution(one, edge=6)
        (one / "run.inp").write_text(harness.HEAD + harness.OUTPUT + harness.RELAX + stages)
    program.run(run, "-i", "run.inp", *often, expect=UNSTABLE)
    promised = json.loads(program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out)["outputs"]
    rows = len((run / "run.energies.csv").read_text().splitlines()) - 1
    # Of each step a frame and a row of energies.
    require(2 * rows > promised["run.h5"] + 6, f"{rows} lines of energies, {promised['run.h5']} records when the stage began")
    for name in ("run.h5", "run.xtc"):
        frames = json.loads(program.run(run, "info", name, "--json", expect=FINISHED).out)["frames"]
        require(frames == rows, f"{name} has {frames} frames, the energies {rows} lines")
    for one in (run, reference):
        program.run(one, "-i", "run.inp", *often, "--set", "debug.stop_at_step=25", expect=STOPPED)
    harness.require_same_run(reference, run, drop=("debug.stop_at_step",))


def test_input_changed_before_the_first_checkpoint(program, folder, source):
    """Outputs that no checkpoint promises yet are not removed for another input; for the same one this is said."""
    harness.solution(folder, edge=6)
    text = harness.HEAD + harness.OUTPUT + LONG.replace('"2 fs"', '"0.25 fs"').replace('"200000 fs"', '"25 ps"')
    (folder / "run.inp").write_text(text)
    topology = (folder / "box.top").read_text()
    process = program.start(folder, "-i", "run.inp")
    log = folder / "run.log"
    harness.wait_for(lambda: process.poll() is not None or log.exists() and "  step " in log.read_text(), 60, "steps")
    require(harness.end(process) == -signal.SIGKILL, "it has ended by itself")
    before = contents_of(folder)
    (folder / "run.inp").write_text(text.replace("300 K", "310 K"))
    result = program.run(folder, "-i", "run.inp", expect=INPUT, timeout=60)
    require("[MD115]" in result.err and "--restart" in result.err, str(result))
    (folder / "run.inp").write_text(text)
    (folder / "box.top").write_text(topology.replace("-0.834", "-0.836").replace("0.417", "0.418"))
    result = program.run(folder, "-i", "run.inp", expect=INPUT, timeout=60)
    require("[MD409]" in result.err and "--restart" in result.err, str(result))
    (folder / "box.top").write_text(topology)
    before.pop("run.lock")  # of the killed process
    require(contents_of(folder) == before, "a run that was refused has changed files")
    result = program.run(folder, "-i", "run.inp", "--set", "debug.stop_at_step=3", expect=STOPPED)
    require(result.out.startswith("this run ended before its first checkpoint: it begins again"), str(result))
    require(harness.state_of(folder)[0] == "3" and log.read_text().count("stage 1 of 1") == 1, log.read_text())


def contents_of(folder):
    return {name: (folder / name).read_bytes() for name in harness.files_in(folder)}


def require_input_kept(program, folder, role, *arguments):
    """Refused with and without --restart, by the name of the file; nothing is made or moved."""
    before = contents_of(folder)
    for more in ((), ("--restart",), ("--check",)):
        result = program.run(folder, "-i", "run.inp", *arguments, *more, expect=INPUT)
        for word in ("[MD609]", "run.pdb", role, "output.name", "output.directory"):
            require(word in result.err, f"the refusal does not say {word!r}\n{result}")
        require(contents_of(folder) == before, f"a run that was refused has made, moved or changed files\n{result}")


def test_an_input_with_the_name_of_an_output(program, folder, source):
    """run.inp that starts from run.pdb: the topology for viewers would be run.pdb, too."""
    harness.fresh_folder(folder, "run", harness.relaxed(program) / "run.pdb", harness.relaxed(program) / "box.top")
    run = folder / "run"
    (run / "run.inp").write_text(harness.HEAD.replace("box.gro", "run.pdb") + harness.OUTPUT + harness.RELAX)
    require_input_kept(program, run, "system.coordinates")
    own = (run / "run.pdb").read_bytes()
    (run / "link.pdb").symlink_to("run.pdb")
    require_input_kept(program, run, "system.coordinates", "--set", 'system.coordinates="link.pdb"')
    harness.solution(run, edge=6)
    reference = 'stage.relax.restrain=[{select="element O", force_constant="1 kJ/mol/nm^2", to="run.pdb"}]'
    gro = ("--set", 'system.coordinates="box.gro"')
    require_input_kept(program, run, "stage relax", *gro, "--set", reference)
    for elsewhere in ('output.name="other"', 'output.directory="out"'):
        program.run(run, "-i", "run.inp", "--set", elsewhere, "--set", "stage.relax.max_steps=2", expect=FINISHED)
    require((run / "out" / "run.pdb").exists() and (run / "other.pdb").exists(), "no topology for viewers")
    require((run / "run.pdb").read_bytes() == own, "the input is another one now")


def run_into(program, run, stdout, *arguments):
    command = [program.path, "-i", "run.inp", "--threads", "2", *arguments]
    return subprocess.run(command, cwd=run, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120)


def test_no_room_for_standard_output(program, folder, source):
    """A run goes on, since its log has everything; of other commands what they print is the result."""
    run = continued_copy(program, folder, "run", HEAT)
    with open("/dev/full", "w") as full:
        completed = run_into(program, run, full)
        require(completed.returncode == FINISHED, f"exit {completed.returncode}: {completed.stderr}")
        lines = completed.stderr.splitlines()
        require(len(lines) == 1 and lines[0].startswith("warning: standard output"), completed.stderr)
        for command in (["energy", "-i", "run.inp"], ["info", "run.xtc"], ["-i", "run.inp", "--check"], ["--help"], ["--version"]):
            ended = subprocess.run([program.path, *command], cwd=run, stdout=full, stderr=subprocess.PIPE, text=True)
            require(ended.returncode == IO and ended.stderr.startswith("error: [MD601]"), f"{command}: {ended}")
    reference = continued_copy(program, folder, "reference", HEAT)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    harness.require_same_run(reference, run)


def test_closed_standard_streams(program, folder, source):
    """Their numbers must not become those of outputs."""

    def close_all():
        for stream in (0, 1, 2):
            os.close(stream)

    reference = continued_copy(program, folder, "reference", HEAT)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    run = continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", prepare=close_all, expect=FINISHED)
    harness.require_same_run(reference, run)
    program.run(run, "info", "run.h5", prepare=close_all, expect=IO)


def test_terminal_goes(program, folder, source):
    """A closed pipe does not end a run; SIGHUP, twice as a shell sends it, ends it cleanly; nohup keeps it running."""
    reading, writing = os.pipe()
    os.close(reading)
    run = continued_copy(program, folder, "run", HEAT)
    completed = run_into(program, run, writing)
    os.close(writing)
    require(completed.returncode == FINISHED, f"exit {completed.returncode}: {completed.stderr}")
    run = continued_copy(program, folder, "hang-up", LONG)
    process = program.start(run, "-i", "run.inp")
    wait_for_steps(run, process)
    process.send_signal(signal.SIGHUP)
    require(harness.end(process, signal.SIGHUP) == STOPPED, "a hang-up has not ended it cleanly")
    process = program.start(run, "-i", "run.inp", prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_steps(run, process)
    process.send_signal(signal.SIGHUP)
    wait_for_steps(run, process)
    require(harness.end(process, signal.SIGTERM) == STOPPED, "it could not be stopped")


def records_of(path):
    """Frames and rows of energies of an H5MD file."""
    header = subprocess.run(["h5dump", "-H", "-d", "/mdsim/records", path], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"SIMPLE \{ \( (\d+)", header).group(1))


def test_no_room_for_the_trajectory(program, folder, source):
    """The trajectory that meets a full disk can be read, and holds the frames of the last checkpoint."""
    stages = HEAT + PRODUCE + dynamics("go-on", 60, 'temperature = "300 K"')
    run = continued_copy(program, folder, "run", stages)
    reference = continued_copy(program, folder, "reference", stages)
    program.run(reference, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    limit = (reference / "run.h5").stat().st_size - 1000
    result = program.run(run, "-i", "run.inp", *CHECKPOINTS, prepare=harness.limit_file_size(limit), expect=IO)
    require(re.search(r"\[MD601\] \S*run\.(h5|gro|trr|dcd|nc|xtc): writing failed", result.err), str(result))
    promised = json.loads(program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out)["outputs"]
    held = records_of(run / "run.h5")
    require(0 < promised["run.h5"] == held, f"the checkpoint promises {promised['run.h5']} records, the file has {held}")
    program.run(run, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    harness.require_same_run(reference, run)


def test_no_room_for_a_checkpoint(program, folder, source):
    """However little of the next checkpoint there is room for, the run ends with 74 and those before it stay."""
    run = continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=3", expect=STOPPED)
    program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=6", expect=STOPPED)
    size = (run / "run.checkpoint.h5").stat().st_size
    whole = {file: (run / file).read_bytes() for file in harness.files_in(run) if ".checkpoint." in file}
    # Other outputs are smaller, or ask for room themselves.
    for limit in (*range(0, size, 4096), size - 1):
        prepare = harness.limit_file_size(limit)
        program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=9", prepare=prepare, expect=IO)
        for file, data in whole.items():
            require((run / file).read_bytes() == data, f"{file} has changed with room for {limit} bytes")
    program.run(run, "-i", "run.inp", expect=FINISHED)


def test_restart_completes_what_it_keeps(program, folder, source):
    """A trajectory whose change was cut off by a kill is completed before it is kept aside."""
    run = continued_copy(program, folder, "run", HEAT)
    program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=12", expect=STOPPED)
    whole = (run / "run.h5").read_bytes()
    # A sealed log of the whole file beside a file that lost its second half.
    harness.write_redo_log(run / "run.h5.redo", whole)
    (run / "run.h5").write_bytes(whole[: len(whole) // 2])
    program.run(run, "-i", "run.inp", "--restart", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require((run / "run.old-1.h5").read_bytes() == whole, "the trajectory that was kept aside is not whole")


TOPOLOGIES = """\
[output]
energies = { every = "4 steps" }
[[output.trajectory]]
every = "5 steps"
format = ["h5md", "xtc"]
[[output.trajectory]]
every = "5 steps"
format = ["xtc"]
select = "resname MOH"
[[output.trajectory]]
every = "10 steps"
format = ["h5md"]
select = "all"
[[output.trajectory]]
every = "10 steps"
format = ["h5md"]
select = "element O"
"""


def atoms_of_pdb(path):
    return sum(line.startswith(("ATOM", "HETATM")) for line in path.read_text().splitlines())


def atoms_of_psf(path):
    return int(next(line for line in path.read_text().splitlines() if "!NATOM" in line).split()[0])


def test_a_topology_beside_each_trajectory(program, folder, source):
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(harness.HEAD + TOPOLOGIES + harness.RELAX.replace("60", "3") + HEAT)
    program.run(folder, "-i", "run.inp", "--set", "debug.stop_at_step=11", expect=STOPPED)
    atoms = {"run": 672, "run.2": 48, "run.4": 216}
    files = {"run": "run.xtc", "run.2": "run.2.xtc", "run.4": "run.4.h5"}
    for name, count in atoms.items():
        require((folder / f"{name}.pdb").exists(), f"{name} has no topology")
        facts = json.loads(program.run(folder, "info", files[name], "--json", expect=FINISHED).out)
        counts = facts["atoms"], atoms_of_pdb(folder / f"{name}.pdb"), atoms_of_psf(folder / f"{name}.psf")
        require(counts == (count,) * 3, f"{name}: trajectory, .pdb and .psf have {counts} atoms, not {count}")
    require(not (folder / "run.3.pdb").exists(), "a trajectory of the same atoms as the first has its own topology")
    program.run(folder, "-i", "run.inp", "--restart", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require(atoms_of_pdb(folder / "run.2.old-1.pdb") == 48, "the second topology was not kept aside")
    try:
        import MDAnalysis
    except ImportError:
        print("not opened, for want of MDAnalysis")
        return
    for topology in ("run.2.old-1.pdb", "run.2.old-1.psf"):
        universe = MDAnalysis.Universe(str(folder / topology), str(folder / "run.2.old-1.xtc"))
        require(len(universe.trajectory) == 3 and universe.atoms.n_atoms == 48, f"MDAnalysis opens {topology} otherwise")


def test_messages(program, folder, source):
    run = continued_copy(program, folder, "run", HEAT)
    for key in ('stage.heat.freeze="resname XYZ"', 'stage.heat.restrain=[{select="resname XYZ", force_constant="1 kJ/mol/nm^2"}]'):
        for more in ((), ("--check",)):
            result = program.run(run, "-i", "run.inp", "--restart", "--set", key, *more, expect=INPUT)
            require("[MD405]" in result.err and "stage.heat." in result.err, f"the stage is not named\n{result}")
    result = program.run(run, "-i", "run.inp", expect=INPUT, threads="0")
    require("--threads: 0 is no whole number from 1 to " in result.err and len(result.err) < 200, str(result))
    program.run(run, "-i", "run.inp", expect=FINISHED)
    text = program.run(run, "info", "run.checkpoint.h5", expect=FINISHED).out.split("\n")
    for words in ("stage 2", "stages 2", "stages done 2"):
        require(any(" ".join(line.split()) == words for line in text), f"info says nothing like {words!r}: {text}")


def test_times_are_decimal(program, folder, source):
    """0.44 ps is 0.44 in every output, not 0.44000000000000006."""
    run = continued_copy(program, folder, "run", dynamics("produce", 222, 'temperature = "300 K"'))
    program.run(run, "-i", "run.inp", "--set", 'output.energies.every="2 fs"', "--set", "debug.stop_at_step=220",
                expect=STOPPED)
    require(harness.state_of(run)[1] == "0.44", f"the log says {harness.state_of(run)[1]} ps")
    times = [row.split(",")[0] for row in (run / "run.energies.csv").read_text().splitlines()[1:]]
    long = [time for time in times if len(time) > 5]
    require(not long, f"times in the energies: {long}")
    facts = program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out
    require('"time": 0.44,' in facts or '"time": 0.44\n' in facts, facts)


TESTS = [
    test_lock,
    test_lock_of_a_killed_process,
    test_one_of_many_starts,
    test_errors_are_in_the_log,
    test_outputs_after_a_failure,
    test_input_changed_before_the_first_checkpoint,
    test_an_input_with_the_name_of_an_output,
    test_no_room_for_standard_output,
    test_closed_standard_streams,
    test_terminal_goes,
    test_no_room_for_the_trajectory,
    test_no_room_for_a_checkpoint,
    test_restart_completes_what_it_keeps,
    test_a_topology_beside_each_trajectory,
    test_messages,
    test_times_are_decimal,
]

if __name__ == "__main__":
    harness.main(TESTS)
