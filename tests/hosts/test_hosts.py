# SPDX-License-Identifier: Apache-2.0
"""Ranks on two hosts (virtual_hosts.py) that talk over TCP: a run, and one whose network is cut.

    test_hosts.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "run"))

import apart  # noqa: E402
import harness  # noqa: E402
import virtual_hosts  # noqa: E402
from harness import FINISHED, HEAD, OUTPUT, RELAX, STAND_STILL, dynamics, require  # noqa: E402

STEPS = 150
HELD = 50  # the step before which ranks stand still until the cable is cut
GIVE_UP_AFTER = 8  # [s]; on a busy machine 10 times the longest step so far, if that is more
MORE = 60  # [s], from the time that a rank says it has waited to the end of the last one
PATIENCE = 600  # [s]

hosts = None


def prepare(parent, name, more=""):
    folder = Path(parent) / name
    folder.mkdir()
    harness.solution(folder, edge=6)
    produce = dynamics("produce", STEPS, 'temperature = "300 K"\npressure = "1 bar"')
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX + produce + more)
    return folder


def start(program, folder, *arguments):
    """Two ranks on each host. mpirun stays outside, as on a login node."""
    network = hosts.subnet
    command = [
        "timeout", "-k", "5", PATIENCE,
        "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-H", "h1:2,h2:2",
        "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", hosts.remote_shell(),
        # More ranks than processors: one that waits must not hold a processor.
        "--mca", "mpi_yield_when_idle", "1", "--mca", "oob_tcp_if_include", network, "--mca", "btl_tcp_if_include", network,
        program.path, "-i", "run.inp", "--threads", "1", *arguments,
    ]
    with open(folder / "messages.txt", "ab") as messages:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdout=messages, stderr=messages)
    program.started.append(process)
    return process


def messages_of(folder):
    return (folder / "messages.txt").read_text(errors="replace")


def ranks():
    """All processes of mdsim on the hosts, but those that have ended and that nobody has asked about."""
    spaces = {os.readlink(Path("/proc") / str(init) / "ns" / "pid") for init in hosts.inits.values()}
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or (entry / "comm").read_text().strip() != "mdsim":
                continue
            if (entry / "cmdline").read_bytes() and os.readlink(entry / "ns" / "pid") in spaces:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_run(program, folder, source):
    """Between two hosts as on one, and the table of placements has both."""
    alone, two = prepare(folder, "alone"), prepare(folder, "two")
    program.run(alone, "-i", "run.inp", expect=FINISHED)
    process = start(program, two)
    require(process.wait(timeout=PATIENCE) == FINISHED, f"exit {process.returncode}\n{messages_of(two)}")
    require(harness.state_of(two) == harness.state_of(alone), f"other states\n{messages_of(two)}")
    harness.require_same_bytes(alone / "run.xtc", two / "run.xtc")
    rows = re.findall(r"^  (\d+) +(h\d) ", (two / "run.log").read_text(), re.MULTILINE)
    require(rows == [("0", "h1"), ("1", "h1"), ("2", "h2"), ("3", "h2")], f"placements: {rows}")


def test_cut(program, folder, source):
    """All ranks end by themselves, with a message, and the last checkpoint is good."""
    alone, run = prepare(folder, "alone"), prepare(folder, "run", STAND_STILL.format(HELD))
    program.run(alone, "-i", "run.inp", expect=FINISHED)
    more = ("--set", 'output.checkpoint.every="20 steps"', "--set", f'hardware.give_up_after="{GIVE_UP_AFTER} s"')
    process = start(program, run, *more)
    still = harness.wait_until_still(run, 4, PATIENCE)
    hosts.cut("h2")
    harness.send(still, signal.SIGCONT)
    began = time.monotonic()
    harness.wait_for(lambda: not ranks(), PATIENCE, f"the end of all ranks\n{messages_of(run)}")
    took = time.monotonic() - began
    said = re.search(r"\[MD802\] rank \d on host h\d has finished no step for (\d+) s", messages_of(run))
    require(said, messages_of(run))
    print(f"all ranks had ended {took:.1f} s after the cut, told to wait for {GIVE_UP_AFTER} s, having waited for {said[1]} s")
    require(GIVE_UP_AFTER <= int(said[1]) and took < int(said[1]) + MORE, "not after the time that was said")
    # mpirun itself may go on waiting for the host that it does not reach.
    harness.end(process, signal.SIGTERM)
    again = program.run(run, "-i", "run.inp", expect=FINISHED).out
    begun = re.search(r"^continuing stage 2 \(produce\) at step (\d+),", again, re.MULTILINE)
    require(begun and 20 <= int(begun[1]) <= HELD, f"the last checkpoint was not taken\n{again}")
    require(harness.state_of(run) == harness.state_of(alone), "other states")
    harness.require_same_bytes(alone / "run.xtc", run / "run.xtc")


def main():
    global hosts
    apart.go_apart(virtual_hosts.NEEDED, harness.SKIPPED)
    with tempfile.TemporaryDirectory(prefix="mdsim-test-hosts-") as folder:
        hosts = virtual_hosts.Hosts(folder)
        try:
            harness.main([test_run, test_cut])
        finally:
            hosts.stop()


if __name__ == "__main__":
    main()
