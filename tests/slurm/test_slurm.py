# SPDX-License-Identifier: Apache-2.0
"""The templates of examples/slurm on a real Slurm of two nodes (one_machine.py): finished, stopped by a time limit, by
signals, by preemption, by scancel and by the death of a node, and gone on with. All of them end as a run that was
never interrupted.

    test_slurm.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))

import harness  # noqa: E402
import one_machine  # noqa: E402
from harness import FINISHED, HEAD, INPUT, OUTPUT, RELAX, dynamics, require  # noqa: E402

STEPS = 1200  # of a run that is interrupted
FEW = 200
CADENCE = OUTPUT.replace("4 steps", "40 steps").replace('"5 steps"', '"100 steps"')
OVER = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
NUMBER = re.compile(r"^  step +(\d+) ", re.MULTILINE)

cluster = None
references = {}


def prepare(parent, name, source, steps=STEPS):
    """A folder with a small system as protein.inp, and the templates."""
    folder = Path(parent) / name
    folder.mkdir()
    harness.solution(folder, edge=6)
    (folder / "protein.inp").write_text(
        HEAD + CADENCE + RELAX + dynamics("produce", steps, 'temperature = "300 K"\npressure = "1 bar"')
    )
    for file in (source / "examples" / "slurm").iterdir():
        shutil.copy(file, folder)
    return folder


def uninterrupted(program, source, steps=STEPS):
    """The same run without Slurm, made once."""
    if steps not in references:
        references[steps] = tempfile.TemporaryDirectory(prefix="mdsim-test-slurm-reference-")
        program.run(prepare(references[steps].name, "run", source, steps), "-i", "protein.inp", expect=FINISHED)
    return Path(references[steps].name) / "run"


def require_same(folder, other):
    """State and frames; the logs differ in hosts and ranks."""
    a, b = harness.state_of(other, "protein"), harness.state_of(folder, "protein")
    require(a == b, f"{folder} ended with {b}, the run without interruption with {a}\n{story(folder)}")
    for kind in ("energies.csv", "xtc"):
        harness.require_same_bytes(other / f"protein.{kind}", folder / f"protein.{kind}")
    harness.require_same_h5(other / "protein.h5", folder / "protein.h5")


def story(folder):
    """What a job has printed, and the end of its log."""
    texts = [path.read_text(errors="replace")[-4000:] for path in sorted(Path(folder).glob("*.out"))]
    log = Path(folder) / "protein.log"
    return "\n".join(texts + ([log.read_text()[-1500:]] if log.exists() else ["no log"]))


def printed(folder):
    """By the jobs of a folder, all of it."""
    return "".join(path.read_text(errors="replace") for path in sorted(Path(folder).glob("*.out")))


def submit(folder, template, *options, ranks=(1, 1)):
    """A template for `ranks` = nodes, tasks of each; options come before what the template says."""
    nodes, tasks = ranks
    size = (f"--nodes={nodes}", f"--ntasks-per-node={tasks}", "--cpus-per-task=1", "--time=10")
    return cluster.submit(folder, *size, *options, template)


def wait_for(condition, seconds, what, folder):
    end = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < end, f"waited {seconds} s for {what}\n{story(folder)}")
        time.sleep(0.1)


def wait_for_state(job, states, folder, seconds=300):
    wait_for(lambda: all(s in states for s in cluster.states(job)), seconds, f"{states}, job {job}", folder)


def wait_for_end(job, folder, seconds=300):
    wait_for_state(job, OVER, folder, seconds)
    require(set(cluster.states(job)) == {"COMPLETED"}, f"job {job} {cluster.states(job)}\n{story(folder)}")


def last_step(folder):
    log = Path(folder) / "protein.log"
    found = NUMBER.findall(log.read_text()) if log.exists() else []
    return int(found[-1]) if found else 0


def wait_for_steps(folder, least=20):
    wait_for(lambda: last_step(folder) >= least, 120, f"step {least}", folder)
    require(last_step(folder) < STEPS, f"the run had ended before it could be interrupted\n{story(folder)}")


def wait_for_requeue(job, folder, seconds=300):
    wait_for(lambda: int(cluster.facts(job)["Restarts"]) > 0, seconds, f"job {job} to be queued again", folder)


def signal_ranks(folder, number):
    ranks = harness.ranks_in(folder)
    require(ranks, f"no rank runs\n{story(folder)}")
    for process in ranks.values():
        os.kill(process, number)


# ---- tests ----


def test_templates(program, folder, source):
    """Each runs to its end."""
    sizes = {"one_gpu": (1, 1), "one_node_four_gpus": (1, 4), "many_nodes": (2, 2), "preemptible": (1, 2)}
    jobs = {}
    for name, ranks in sizes.items():
        run = prepare(folder, name, source, FEW)
        jobs[name] = (submit(run, f"{name}.sbatch", ranks=ranks), run)
    array = prepare(folder, "replicas", source, FEW)
    replicas = submit(array, "replicas.sbatch", "--array=1-2")
    for name, (job, run) in jobs.items():
        wait_for_end(job, run)
        require_same(run, uninterrupted(program, source, FEW))
        require("has not finished" not in printed(run), story(run))
    wait_for_end(replicas, array)
    states = {harness.state_of(array / f"replica-{n}", "protein") for n in (1, 2)}
    require(len(states) == 2 and all(s[0] == str(FEW) for s in states), f"replicas ended with {states}")


def test_interrupted(program, folder, source):
    """By the time limit, by signals to the script and to the ranks, by a job that comes before it; all at once, since
    Slurm takes its time to start a job again."""
    limit, usr1, term, mpirun = (prepare(folder, name, source) for name in ("limit", "usr1", "term", "mpirun"))
    jobs = {limit: submit(limit, "one_node_four_gpus.sbatch", "--time=1", ranks=(1, 2))}
    wait_for_steps(limit)
    began = time.monotonic()
    # More than half of its minute passes in one step.
    signal_ranks(limit, signal.SIGSTOP)
    (mpirun / "mpirun.sbatch").write_text(
        "#!/bin/bash\nexec bash until_finished.sh protein.log mpirun --oversubscribe mdsim -i protein.inp\n"
    )
    jobs[usr1] = submit(usr1, "one_node_four_gpus.sbatch", ranks=(1, 2))
    jobs[term] = submit(term, "many_nodes.sbatch", ranks=(2, 1))
    jobs[mpirun] = submit(mpirun, "mpirun.sbatch", "--requeue", "--open-mode=append", "--output=%x.%j.out", ranks=(2, 1))
    for run, arguments in ((usr1, ("-b", "-s", "USR1")), (term, ("-s", "TERM")), (mpirun, ("-b", "-s", "USR1"))):
        wait_for_steps(run)
        cluster.output("scancel", *arguments, jobs[run])
    for run in (usr1, term, mpirun):
        wait_for_requeue(jobs[run], run)
        require("ended with 75" in printed(run), f"not the exit code of a clean stop\n{story(run)}")
    time.sleep(max(0.0, 35.0 - (time.monotonic() - began)))
    signal_ranks(limit, signal.SIGCONT)
    wait_for_requeue(jobs[limit], limit)
    require(re.search(r"^stopping in time: the job ends at \S+ \(scontrol\)", printed(limit), re.MULTILINE), story(limit))
    for run, job in jobs.items():
        wait_for_end(job, run)
        require_same(run, uninterrupted(program, source))


def test_preempted(program, folder, source):
    """A job of a partition that comes first takes both nodes; the other one writes a checkpoint and waits."""
    run = prepare(folder, "run", source)
    job = submit(run, "preemptible.sbatch", ranks=(2, 2))
    wait_for_steps(run)
    urgent = cluster.submit(folder, "-p", "urgent", "--nodes=2", "--exclusive", "-o", "urgent.out", "--wrap", "true")
    wait_for_state(urgent, OVER, run)
    wait_for_requeue(job, run)
    wait_for_end(job, run)
    require("stopping on signal" in printed(run), f"no checkpoint when it was preempted\n{story(run)}")
    require_same(run, uninterrupted(program, source))


def test_cancelled(program, folder, source):
    """scancel leaves a checkpoint and nothing in the queue; submitted again, by another number of ranks, it goes on."""
    run = prepare(folder, "run", source)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    wait_for_steps(run)
    cluster.output("scancel", job)
    wait_for_state(job, OVER, run)
    require(cluster.states(job) == ["CANCELLED"], f"{cluster.states(job)}\n{story(run)}")
    wait_for(lambda: (run / "protein.log").read_text().count("\nstopped\n") == 1, 30, "the log's last words", run)
    wait_for(lambda: not harness.ranks_in(run), 40, "the ranks' end", run)
    require(cluster.output("squeue", "-h", "-j", job).strip() == "", "the job is in the queue again")
    wait_for_end(submit(run, "one_gpu.sbatch"), run)
    require_same(run, uninterrupted(program, source))


def test_node_dies(program, folder, source):
    """All that runs on one of two nodes is killed, as by a power cut."""
    run = prepare(folder, "run", source)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    wait_for_steps(run, 200)
    batch_host = cluster.facts(job)["BatchHost"]
    victim = next(node for node in cluster.nodes if node != batch_host)
    cluster.power_off(victim)
    wait_for_requeue(job, run)
    cluster.power_on(victim)
    cluster.wait_until_idle()
    wait_for_end(job, run)
    require_same(run, uninterrupted(program, source))


def test_wrong_plugin(program, folder, source):
    """Ranks that MPI does not join are refused, by the first one alone, with the way out."""
    run = prepare(folder, "run", source)
    for plugin in ("none", "pmi2"):
        result = in_step(run, "-N2", "--ntasks-per-node=2", f"--mpi={plugin}", program.path, "-i", "protein.inp")
        require(result.returncode == INPUT, f"exit {result.returncode}\n{result.stderr}")
        require(result.stderr.count("[MD801]") == 1 and "srun --mpi=pmix" in result.stderr, result.stderr)
        require(not (run / "protein.log").exists(), "there are outputs of a run that was refused")


def in_step(folder, *command):
    return subprocess.run(["srun", "--cpus-per-task=1", *map(str, command)], cwd=folder, capture_output=True, text=True,
                          env=cluster.environment, timeout=120)


def test_exit_codes(program, folder, source):
    """Those of mdsim arrive through srun and mpirun, with one message."""
    run = prepare(folder, "run", source)
    mpirun = ["mpirun", "--oversubscribe", "-n", "2", program.path]
    for command in (["srun", "-N2", "--ntasks-per-node=1", "--cpus-per-task=1", "--mpi=pmix", program.path], mpirun):
        for arguments, code, message in (
            (("-i", "absent.inp"), INPUT, "[MD111]"),
            (("-i", "protein.inp", "--set", "debug.stop_at_step=2"), harness.STOPPED, ""),
        ):
            done = subprocess.run([*command, *arguments], cwd=run, capture_output=True, text=True,
                                  env=cluster.environment, timeout=120)
            require(done.returncode == code, f"{command[0]}: exit {done.returncode} in place of {code}\n{done.stderr}")
            require(not message or done.stderr.count(message) == 1, f"not one message\n{done.stderr}")


def test_two_jobs_in_one_folder(program, folder, source):
    """The second is refused and named the first; after a crash nothing is left in its way."""
    run = prepare(folder, "run", source)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    wait_for_steps(run)
    signal_ranks(run, signal.SIGSTOP)  # it must not end before the second has begun
    second = in_step(run, "-N1", "-n1", "--mpi=pmix", program.path, "-i", "protein.inp")
    require(second.returncode == INPUT and "[MD608]" in second.stderr, f"exit {second.returncode}\n{second.stderr}")
    owner = re.search(r"process (\d+) on host (n\d) since \S+, Slurm job (\d+)", second.stderr)
    require(owner and int(owner[1]) in harness.ranks_in(run).values() and owner[3] == job, second.stderr)
    signal_ranks(run, signal.SIGKILL)
    wait_for_requeue(job, run)
    wait_for_end(job, run)
    require_same(run, uninterrupted(program, source))


def main():
    global cluster
    with tempfile.TemporaryDirectory(prefix="mdsim-test-slurm-") as folder:
        try:
            cluster = one_machine.Cluster(folder)
        except one_machine.Unavailable as reason:
            print(f"skipped: {reason}")
            sys.exit(harness.SKIPPED)
        path = f"{Path(sys.argv[1]).resolve().parent}:{cluster.environment['PATH']}"
        cluster.environment["PATH"] = path
        try:
            harness.main([
                test_templates, test_interrupted, test_preempted, test_cancelled, test_two_jobs_in_one_folder,
                test_node_dies, test_wrong_plugin, test_exit_codes,
            ])
        finally:
            cluster.stop()
            for each in references.values():
                each.cleanup()


if __name__ == "__main__":
    main()
