# SPDX-License-Identifier: Apache-2.0
"""A device that has too little memory, that is lost, or whose kernels fail: one message with the physics that it
happened in, a sound checkpoint, an exit code, and never a hang. Played by the host back end.

    test_gpu_failures.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402
from harness import (  # noqa: E402
    FINISHED,
    HEAT,
    INPUT,
    INTERNAL,
    PRODUCE,
    STOPPED,
    UNSTABLE,
    continued_copy,
    dynamics,
    require,
)

ON_HOST = ("--set", 'hardware.gpu="host"')
OFTEN = ("--set", 'output.checkpoint.every="2 steps"')
STAGES = HEAT.replace('"40 fs"', '"20 fs"') + PRODUCE.replace('"60 fs"', '"20 fs"')
# Streams that do at once what they are given, and such as come to it later, as a device does.
ORDERS = {"in-order": {}, "shuffled": {"random_order_seed": 7}, "wide": {"random_order_seed": 8, "warp_width": 64}}
# Keys whose own line in the log differs because the test sets them.
OWN = ("debug.", "hardware.gpu", "output.checkpoint")
# A device that waits for ever would hold this test up for as long.
LIMIT = 60


def debug(**keys):
    arguments = list(ON_HOST)
    for key, value in keys.items():
        arguments += ["--set", f"debug.{key}={value}"]
    return arguments


_undisturbed = tempfile.TemporaryDirectory(prefix="mdsim-test-undisturbed-")


def undisturbed(program):
    """A folder with the run that nothing happens to. Made once."""
    run = Path(_undisturbed.name) / "run"
    if not run.exists():
        continued_copy(program, _undisturbed.name, "run", STAGES)
        program.run(run, "-i", "run.inp", *ON_HOST, expect=FINISHED)
    return run


def require_failure(result, code, *words):
    require(result.code == code, f"expected exit code {code}\n{result}")
    require(result.err.count("error: [MD") == 1, f"not one message\n{result}")
    require("\n    try: " in result.err, f"the message says nothing to try\n{result}")
    for word in words:
        require(re.search(word, result.err), f"the message does not say {word!r}\n{result}")


def require_noted(program, run, result):
    """The log has the message, and ends with the state that the checkpoint has."""
    log = (run / "run.log").read_text()
    require(result.err.strip() + "\nstopped\nstate step=" in log, f"the log has another end\n{log[-1500:]}\n{result}")
    facts = json.loads(program.run(run, "info", "run.checkpoint.h5", "--json", expect=FINISHED).out)
    require(harness.state_line(log)[2] == facts["state_hash"], "the state is not that of the checkpoint")


def require_continues(program, run, reference, *arguments):
    program.run(run, "-i", "run.inp", *(arguments or ON_HOST), expect=FINISHED, timeout=LIMIT)
    harness.require_same_run(reference, run, drop=OWN)


# ---- memory ----


def enough_memory(program, run):
    """The memory with which a run makes one step, to the byte. With less it fails for one array after the other."""
    memory, named = 0, []
    for _ in range(100):
        result = program.run(run, "-i", "run.inp", *debug(device_memory=memory, stop_at_step=1), timeout=LIMIT)
        if result.code == STOPPED:
            return memory, named
        where = r"\[MD703\] stage heat, step 0 \(0 ps\): out of memory on the GPU \((.+), for (.+)\): "
        require_failure(result, INTERNAL, where + rf"\d+ bytes asked for, \d+ of {memory} free", "from its checkpoint")
        require_noted(program, run, result)
        named.append(re.search(where, result.err).groups())
        asked, free = map(int, re.search(r"(\d+) bytes asked for, (\d+) of", result.err).groups())
        memory += asked - free
    raise harness.Failure(f"{memory} bytes are not enough")


def test_memory(program, folder, source):
    """There is no room for one array or another at the start, or later, when pair lists have grown."""
    reference = undisturbed(program)
    run = continued_copy(program, folder, "run", STAGES)
    memory, named = enough_memory(program, run)
    require(len(set(named)) > 10, f"not one array after the other: {named}")
    result = program.run(run, "-i", "run.inp", *OFTEN, *debug(device_memory=memory, list_every=1), timeout=LIMIT)
    require_failure(result, INTERNAL, r"\[MD703\] stage (heat|produce), step [1-9]\d* \(0\.0\d+ ps\): out of memory")
    require_noted(program, run, result)
    require_continues(program, run, reference)


# ---- a device that is lost ----


def test_lost_device(program, folder, source):
    reference = undisturbed(program)
    for name, operations in (("in-order", 0), ("in-order", 200), ("shuffled", 30), ("shuffled", 220), ("wide", 180)):
        run = continued_copy(program, folder, f"{name}-{operations}", STAGES)
        arguments = debug(device_lost_after=operations, **ORDERS[name])
        result = program.run(run, "-i", "run.inp", *OFTEN, *arguments, timeout=LIMIT)
        place = r"\[MD704\] stage (heat|produce), step \d+ \(.* ps\): the GPU was lost \(.+, for .+\): "
        require_failure(result, STOPPED, place, "run the same command again")
        require_noted(program, run, result)
        at, kept = int(re.search(r"step (\d+) ", result.err).group(1)), int(harness.state_of(run)[0])
        require(kept <= at <= kept + 2, f"lost at step {at}, and the checkpoint is of step {kept}")
        require(at > 0 or operations < 50, f"{operations} operations did not make a step\n{result}")
        require_continues(program, run, reference)


def test_device_that_is_lost_again_and_again(program, folder, source):
    """As a batch system does it that starts the same command again after exit code 75."""
    reference = undisturbed(program)
    run = continued_copy(program, folder, "run", STAGES)
    arguments = debug(device_lost_after=200, random_order_seed=3)
    steps = []
    for _ in range(20):
        result = program.run(run, "-i", "run.inp", *OFTEN, *arguments, timeout=LIMIT)
        if result.code == FINISHED:
            break
        require_failure(result, STOPPED, r"\[MD704\]")
        steps.append(int(harness.state_of(run)[0]))
    require(result.code == FINISHED and len(steps) > 1, f"stopped at steps {steps}\n{result}")
    require(steps == sorted(set(steps)), f"no progress: stopped at steps {steps}")
    harness.require_same_run(reference, run, drop=OWN)


def test_lost_before_the_first_checkpoint(program, folder, source):
    text = harness.HEAD + harness.OUTPUT + PRODUCE.replace('"2 fs"', '"0.25 fs"').replace('"60 fs"', '"3 fs"')
    runs = {name: folder / name for name in ("run", "undisturbed")}
    for run in runs.values():
        run.mkdir()
        harness.solution(run, edge=6)
        (run / "run.inp").write_text(text)
    program.run(runs["undisturbed"], "-i", "run.inp", *ON_HOST, expect=FINISHED)
    result = program.run(runs["run"], "-i", "run.inp", *debug(device_lost_after=200), timeout=LIMIT)
    require_failure(result, STOPPED, r"\[MD704\] stage produce, step [1-9]")
    require_continues(program, runs["run"], runs["undisturbed"])


# ---- kernels that fail, terms of the host that fail ----


def test_kernel_error(program, folder, source):
    """And the way out that the message shows: the CPU goes on from the checkpoint."""
    for name, order in ORDERS.items():
        run = continued_copy(program, folder, name, STAGES)
        result = program.run(run, "-i", "run.inp", *debug(device_shared_memory=200, **order), timeout=LIMIT)
        place = r"\[MD705\] stage heat, step 0 \(0 ps\): the GPU reported an error \(kernel \w+, for .+\): "
        fault = r"block \d+: shared memory of \d+ bytes.*there are 200"
        require_failure(result, INTERNAL, place + fault, 'gpu = "off"')
        require_noted(program, run, result)
        program.run(run, "-i", "run.inp", "--set", 'hardware.gpu="off"', expect=FINISHED)


def test_unstable_physics(program, folder, source):
    """What the host finds in the middle of a run ends it as it does without a device."""
    wild = dynamics("wild", 200, 'temperature = "300 K"').replace('"2 fs"', '"100 fs"').replace('"400 fs"', '"20 ps"')
    for name, order in ORDERS.items():
        run = continued_copy(program, folder, name, wild)
        result = program.run(run, "-i", "run.inp", *debug(**order), timeout=LIMIT)
        require_failure(result, UNSTABLE, r"\[MD5\d\d\] stage wild, step \d+ ")
        require_noted(program, run, result)


def test_other_commands(program, folder, source):
    run = continued_copy(program, folder, "run", STAGES)
    before = harness.files_in(run)
    faults = {
        "device_memory": (1000, INTERNAL, r"\[MD703\] .*1000 free"),
        "device_lost_after": (2, STOPPED, r"\[MD704\]"),
        "device_shared_memory": (200, INTERNAL, r"\[MD705\]"),
    }
    for key, (value, code, word) in faults.items():
        for command in (("energy",), ("bench", "--steps", "2")):
            arguments = debug(**{key: value})
            require_failure(program.run(run, *command, "-i", "run.inp", *arguments, timeout=LIMIT), code, word)
    require(harness.files_in(run) == before, "a command that failed has left files")


def test_refused_without_host_back_end(program, folder, source):
    run = continued_copy(program, folder, "run", STAGES)
    before = {name: (run / name).read_bytes() for name in harness.files_in(run)}
    for key in ("device_memory", "device_lost_after", "device_shared_memory"):
        for gpu in ('"auto"', '"off"', '"required"', "[0]"):
            arguments = ("--set", f"hardware.gpu={gpu}", "--set", f"debug.{key}=1000")
            for command in ((), ("--check",)):
                result = program.run(run, "-i", "run.inp", *command, *arguments)
                require_failure(result, INPUT, r"\[MD108\].*" + key, 'hardware.gpu = "host"')
    require({name: (run / name).read_bytes() for name in harness.files_in(run)} == before, "files have changed")


TESTS = [
    test_memory,
    test_lost_device,
    test_device_that_is_lost_again_and_again,
    test_lost_before_the_first_checkpoint,
    test_kernel_error,
    test_unstable_physics,
    test_other_commands,
    test_refused_without_host_back_end,
]

if __name__ == "__main__":
    harness.main(TESTS)
