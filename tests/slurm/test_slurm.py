# SPDX-License-Identifier: Apache-2.0
"""The templates of examples/slurm on a real Slurm of two nodes (one_machine.py): finished, stopped by a time limit, by
signals, by preemption, by scancel and by the death of a node, and gone on with. All of them end as a run that was
never interrupted.

    test_slurm.py PROGRAM SOURCE_DIR [TEST...]
"""

import datetime
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("run", "hosts")]

import apart  # noqa: E402
import harness  # noqa: E402
import one_machine  # noqa: E402
from harness import FINISHED, HEAD, INPUT, OUTPUT, RELAX, STAND_STILL, Failure, dynamics, require  # noqa: E402

STEPS = 400  # of a run that is interrupted
HELD = 210  # the step before which it stands still, until what is to interrupt it has been done
FEW = 200
SOON = 60
CADENCE = OUTPUT.replace("4 steps", "40 steps").replace('"5 steps"', '"100 steps"') + 'checkpoint = { every = "50 steps" }\n'
OVER = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
PATIENCE = 600  # [s]; nothing is said by how long a thing takes

cluster = None
references = {}


def prepare(parent, name, source, steps=STEPS, held=None, more=""):
    """A folder with a small system as protein.inp, which stands still at step `held`, and the templates."""
    folder = Path(parent) / name
    folder.mkdir()
    harness.solution(folder, edge=6)
    (folder / "protein.inp").write_text(
        HEAD + CADENCE + RELAX + dynamics("produce", steps, 'temperature = "300 K"\npressure = "1 bar"')
        + more + (STAND_STILL.format(held) if held else "")
    )
    for file in (source / "examples" / "slurm").iterdir():
        shutil.copy(file, folder)
    return folder


def uninterrupted(program, source, steps=STEPS, settings=(), more=""):
    """The same run without Slurm, made once."""
    key = (steps, settings, more)
    if key not in references:
        references[key] = tempfile.TemporaryDirectory(prefix="mdsim-test-slurm-reference-")
        run = prepare(references[key].name, "run", source, steps, more=more)
        program.run(run, "-i", "protein.inp", *settings, expect=FINISHED)
    return Path(references[key].name) / "run"


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
    size = (f"--nodes={nodes}", f"--ntasks-per-node={tasks}", "--cpus-per-task=1", "--time=60")
    return cluster.submit(folder, *size, *options, template)


def wait_for(condition, what, folder):
    end = time.monotonic() + PATIENCE
    while not condition():
        require(time.monotonic() < end, f"waited {PATIENCE} s for {what}\n{story(folder)}")
        time.sleep(0.2)


def wait_for_state(job, states, folder):
    wait_for(lambda: all(s in states for s in cluster.states(job)), f"{states}, job {job}", folder)


def wait_for_end(job, folder):
    wait_for_state(job, OVER, folder)
    require(set(cluster.states(job)) == {"COMPLETED"}, f"job {job} {cluster.states(job)}\n{story(folder)}")


def wait_until_still(folder, count):
    """Its ranks, which stand still and are to do so no more."""
    try:
        return harness.wait_until_still(folder, count, PATIENCE, "protein")
    except Failure as failure:
        raise Failure(f"{failure}\n{story(folder)}") from None


def go_on_with(ranks, number, folder):
    """Lets ranks go on when a signal has come to all of them, or Slurm has let them go on already."""
    def has_come(process):
        return harness.has_waiting(process, number) or harness.state_of_process(process) != "T"

    wait_for(lambda: all(map(has_come, ranks.values())), f"signal {number}", folder)
    harness.send(ranks, signal.SIGCONT)


def restarts(job):
    return int(cluster.facts(job)["Restarts"])


def wait_for_requeue(job, folder, count=1):
    wait_for(lambda: restarts(job) >= count or cluster.states(job)[0] in OVER, f"job {job} to be queued again", folder)
    require(restarts(job) >= count, f"job {job} {cluster.states(job)}, not queued again\n{story(folder)}")


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


def test_time_limits(program, folder, source):
    """Of all templates, at the same time, since it is a minute that they wait for."""
    sizes = {"one_gpu": (1, 1), "one_node_four_gpus": (1, 2), "many_nodes": (2, 1), "preemptible": (1, 2), "replicas": (1, 1)}
    jobs = {}
    for name, ranks in sizes.items():
        run = prepare(folder, name, source, FEW, held=SOON)
        more = {"replicas": ["--array=1"], "many_nodes": ["--signal=B:USR1@10"]}.get(name, [])  # its 300 s are all of it
        jobs[run] = submit(run, f"{name}.sbatch", *more, "--time=1", ranks=ranks)
    with ThreadPoolExecutor() as pool:
        for each in [pool.submit(run_out_of_time, run, job, ranks[0] * ranks[1])
                     for (run, job), ranks in zip(jobs.items(), sizes.values())]:
            each.result()
    for run, job in jobs.items():
        wait_for_end(job, run)
        again = rf"continuing stage 2 \(produce\) at step ({SOON}|{SOON + 1}),"  # several ranks agree on the next one
        require(re.search(again, printed(run)), f"not from the stop on\n{story(run)}")
        if run.name == "replicas":
            require_same(run / "replica-1", uninterrupted(program, source, FEW, ("--set", "system.seed=1")))
        else:
            require_same(run, uninterrupted(program, source, FEW))


def run_out_of_time(folder, job, count):
    """Most of a job's minute passes in one step: lets ranks that stand still go on when they keep the rest for the end."""
    ranks = wait_until_still(folder, count)
    before = restarts(job)  # not 0 where its minute was over before it stood still
    said = re.findall(r"^the job ends at (\S+)Z \(scontrol\); (\d+) s are kept", printed(folder), re.MULTILINE)
    require(said, f"the run does not know when its job ends\n{story(folder)}")
    end = datetime.datetime.fromisoformat(said[-1][0] + "+00:00").timestamp()
    wait_for(lambda: time.time() > end - int(said[-1][1]) + 1, "the job's last seconds", folder)
    harness.send(ranks, signal.SIGCONT)
    wait_for_requeue(job, folder, before + 1)
    # Where a template asks for a signal, too, that may come first.
    ways = r"in time: the job ends at \S+ \(scontrol\)" + ("|on signal 10 " if folder.name == "many_nodes" else "")
    require(re.search(f"^stopping ({ways})", printed(folder), re.MULTILINE), story(folder))
    require("ended with 75" in printed(folder), f"not the exit code of a clean stop\n{story(folder)}")


def test_signals(program, folder, source):
    """To the script and to the ranks; all at once, since Slurm takes its time to start a job again."""
    usr1, term, mpirun = (prepare(folder, name, source, held=HELD) for name in ("usr1", "term", "mpirun"))
    (mpirun / "mpirun.sbatch").write_text(
        "#!/bin/bash\nexec bash until_finished.sh protein.log mpirun --oversubscribe mdsim -i protein.inp\n"
    )
    jobs = {usr1: submit(usr1, "one_node_four_gpus.sbatch", ranks=(1, 2)), term: submit(term, "many_nodes.sbatch", ranks=(2, 1))}
    jobs[mpirun] = submit(mpirun, "mpirun.sbatch", "--requeue", "--open-mode=append", "--output=%x.%j.out", ranks=(2, 1))
    for run, number, arguments in ((usr1, signal.SIGUSR1, ("-b", "-s", "USR1")), (term, signal.SIGTERM, ("-s", "TERM")),
                                   (mpirun, signal.SIGUSR1, ("-b", "-s", "USR1"))):
        ranks = wait_until_still(run, 2)
        cluster.output("scancel", *arguments, jobs[run])
        go_on_with(ranks, number, run)
    for run, job in jobs.items():
        wait_for_requeue(job, run)
        require("ended with 75" in printed(run), f"not the exit code of a clean stop\n{story(run)}")
    for run, job in jobs.items():
        wait_for_end(job, run)
        require(f"continuing stage 2 (produce) at step {HELD + 1}," in printed(run), f"not from the stop on\n{story(run)}")
        require_same(run, uninterrupted(program, source))


def test_preempted(program, folder, source):
    """A job of a partition that comes first takes both nodes; the other one writes a checkpoint and waits."""
    run = prepare(folder, "run", source, held=HELD)
    job = submit(run, "preemptible.sbatch", ranks=(2, 2))
    ranks = wait_until_still(run, 4)
    urgent = cluster.submit(folder, "-p", "urgent", "--nodes=2", "--exclusive", "-o", "urgent.out", "--wrap", "true")
    go_on_with(ranks, signal.SIGTERM, run)
    wait_for_state(urgent, OVER, run)
    wait_for_requeue(job, run)
    wait_for_end(job, run)
    require("stopping on signal" in printed(run), f"no checkpoint when it was preempted\n{story(run)}")
    require_same(run, uninterrupted(program, source))


def test_cancelled(program, folder, source):
    """scancel leaves a checkpoint and nothing in the queue; submitted again, by another number of ranks, it goes on."""
    run = prepare(folder, "run", source, held=HELD)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    ranks = wait_until_still(run, 2)
    cluster.output("scancel", job)
    go_on_with(ranks, signal.SIGTERM, run)
    wait_for_state(job, OVER, run)
    require(cluster.states(job) == ["CANCELLED"], f"{cluster.states(job)}\n{story(run)}")
    wait_for(lambda: (run / "protein.log").read_text().count("\nstopped\n") == 1, "the log's last words", run)
    wait_for(lambda: not harness.ranks_in(run), "the ranks' end", run)
    require(cluster.output("squeue", "-h", "-j", job).strip() == "", "the job is in the queue again")
    wait_for_end(submit(run, "one_gpu.sbatch"), run)
    require_same(run, uninterrupted(program, source))


def test_node_fails(program, folder, source):
    """First what a job does on one of two nodes is killed, which Slurm 22.05 does not notice and mdsim does, then that
    node loses its power."""
    soon = '[hardware]\ngive_up_after = "20 s"\n'
    run = prepare(folder, "run", source, held=HELD, more=soon)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    for count, fail in ((1, cluster.kill_steps), (2, cluster.power_off)):
        ranks = wait_until_still(run, 2)
        batch_host = cluster.facts(job)["BatchHost"]
        victim = next(node for node in cluster.nodes if node != batch_host)
        if count == 1:
            with open(run / "protein.inp", "a") as file:
                file.write(STAND_STILL.format(HELD))
        fail(victim)
        harness.send(ranks, signal.SIGCONT)
        wait_for_requeue(job, run, count)
        require(count > 1 or "[MD802]" in printed(run), f"no word of the rank that is left\n{story(run)}")
    cluster.power_on(victim)
    cluster.wait_until_idle(PATIENCE)
    wait_for_end(job, run)
    require_same(run, uninterrupted(program, source, more=soon))


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
                          env=cluster.environment, timeout=PATIENCE)


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
                                  env=cluster.environment, timeout=PATIENCE)
            require(done.returncode == code, f"{command[0]}: exit {done.returncode} in place of {code}\n{done.stderr}")
            require(not message or done.stderr.count(message) == 1, f"not one message\n{done.stderr}")


def test_binding(program, folder, source):
    """A rank uses the processors that it is bound to, here each one of them, and the table of placements shows which."""
    run = prepare(folder, "run", source)
    processors = sorted(os.sched_getaffinity(0))
    first, last = processors[0], processors[-1]
    bound = f"exec taskset -c $((SLURM_LOCALID ? {last} : {first})) mdsim -i protein.inp --set debug.stop_at_step=2"
    done = in_step(run, "-N1", "--ntasks-per-node=2", "--mpi=pmix", "sh", "-c", bound)
    require(done.returncode == harness.STOPPED, f"exit {done.returncode}\n{done.stderr}")
    rows = re.findall(r"^  (\d) +n\d +- +- +(\S+) +(\d+) ", (run / "protein.log").read_text(), re.MULTILINE)
    require(rows == [("0", str(first), "1"), ("1", str(last), "1")], f"ranks, processors, threads: {rows}\n{story(run)}")


def test_two_jobs_in_one_folder(program, folder, source):
    """The second is refused and named the first; after a crash nothing is left in its way."""
    run = prepare(folder, "run", source, held=HELD)
    job = submit(run, "many_nodes.sbatch", ranks=(2, 1))
    ranks = wait_until_still(run, 2)
    second = in_step(run, "-N1", "-n1", "--mpi=pmix", program.path, "-i", "protein.inp")
    require(second.returncode == INPUT and "[MD608]" in second.stderr, f"exit {second.returncode}\n{second.stderr}")
    owner = re.search(r"process (\d+) on host (n\d) since \S+, Slurm job (\d+)", second.stderr)
    require(owner and int(owner[1]) in ranks.values() and owner[3] == job, second.stderr)
    harness.send(ranks, signal.SIGKILL)
    wait_for_requeue(job, run)
    wait_for_end(job, run)
    require_same(run, uninterrupted(program, source))


def alone(test):
    """The test, of which no job is left to the next one."""
    @functools.wraps(test)
    def run(*arguments):
        try:
            test(*arguments)
        finally:
            cluster.end_jobs()

    return run


def main():
    global cluster
    apart.go_apart(one_machine.NEEDED, harness.SKIPPED)
    with tempfile.TemporaryDirectory(prefix="mdsim-test-slurm-") as folder:
        cluster = one_machine.Cluster(folder)
        path = f"{Path(sys.argv[1]).resolve().parent}:{cluster.environment['PATH']}"
        cluster.environment["PATH"] = path
        try:
            harness.main([alone(test) for test in (
                test_templates, test_time_limits, test_signals, test_preempted, test_cancelled, test_two_jobs_in_one_folder,
                test_node_fails, test_wrong_plugin, test_exit_codes, test_binding,
            )])
        finally:
            cluster.stop()
            for each in references.values():
                each.cleanup()


if __name__ == "__main__":
    main()
