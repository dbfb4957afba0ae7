# SPDX-License-Identifier: Apache-2.0
"""What `mdsim bench --trace` writes: a file in the Trace Event Format with the steps of the loop and, where a device is
in use, the work of its streams."""
import json
import socket

import harness
from harness import FINISHED, INPUT, IO, require

DYNAMICS = harness.dynamics("produce", 100, 'temperature = "300 K"')
STEPS = 20
NANOSECOND = 1e-3  # [us]


def solution(folder):
    harness.solution(folder, edge=6, methanols=2)
    (folder / "run.inp").write_text(harness.HEAD + DYNAMICS)


def traced(program, folder, *arguments):
    """The trace, its spans row by row in the order of the file, and the names of its rows."""
    program.run(folder, "bench", "-i", "run.inp", "--steps", "3", "--trace", "trace.json", *arguments, expect=FINISHED)
    trace = json.loads((folder / "trace.json").read_text())
    rows, processes, names = {}, {}, {}
    for event in trace["traceEvents"]:
        require(event["pid"] > 0 and event["tid"] > 0, f"viewers take 0 for nothing: {event}")
        row = event["pid"], event["tid"]
        if event["ph"] == "M":
            into = {"process_name": processes, "thread_name": names}[event["name"]]
            into[row] = event["args"]["name"]
        else:
            require(event["ph"] == "X" and event["dur"] >= 0, f"no complete event: {event}")
            rows.setdefault(row, []).append(event)
    require(set(rows) <= set(processes) and set(rows) <= set(names), "a row has no name")
    return rows, processes, names


def require_nested(spans):
    """Each span is within the one that it begins in, or begins after its end."""
    open_spans = []
    for span in spans:
        begin, end = span["ts"], span["ts"] + span["dur"]
        while open_spans and open_spans[-1] <= begin + 0.5 * NANOSECOND:
            open_spans.pop()
        require(not open_spans or end <= open_spans[-1] + 0.5 * NANOSECOND, f"overlaps what is before it: {span}")
        open_spans.append(end)


def row_named(rows, names, name):
    found = [row for row in names if names[row] == name]
    require(len(found) == 1 and found[0] in rows, f"there is no row {name}: {names}")
    return rows[found[0]]


def test_step_loop(program, folder, source):
    solution(folder)
    rows, processes, names = traced(program, folder)
    require(set(processes.values()) == {f"mdsim rank 0 on {socket.gethostname()}"}, f"processes: {processes}")
    spans = row_named(rows, names, "step loop")
    require_nested(spans)
    steps = [span for span in spans if span["name"] == "step"]
    numbers = [span["args"]["step"] for span in steps]
    # One step of warming up and three that are timed come before.
    require(numbers == list(range(4, 4 + STEPS)), f"steps {numbers}")
    for step in steps:
        inside = {s["name"]: s for s in spans if s["args"]["step"] == step["args"]["step"]}
        for name in ("search", "short_range", "mesh", "bonded", "update", "constraints"):
            require(name in inside, f"step {step} has no {name}: {sorted(inside)}")
            begin, end = (s["ts"] - step["ts"] for s in (inside[name], step))
            require(0 <= begin and begin + inside[name]["dur"] <= step["dur"] + NANOSECOND, f"{name} is not in {step}")
        parts = sum(inside[name]["dur"] for name in inside if name not in ("step", "constraints"))
        require(parts <= step["dur"], f"the parts are more than the step: {parts} {step}")


def test_earlier_file_is_kept(program, folder, source):
    solution(folder)
    (folder / "trace.json").write_text("mine")
    traced(program, folder)
    require((folder / "trace.old-1.json").read_text() == "mine", f"the earlier file is gone: {harness.files_in(folder)}")


def test_inputs_are_not_overwritten(program, folder, source):
    solution(folder)
    before = {name: (folder / name).read_bytes() for name in harness.files_in(folder)}
    for name in before:
        result = program.run(folder, "bench", "-i", "run.inp", "--steps", "3", "--trace", name, expect=INPUT)
        require("[MD609]" in result.err and "--trace" in result.err and not result.out, str(result))
    result = program.run(folder, "energy", "-i", "run.inp", "--forces", "box.gro", expect=INPUT)
    require("[MD609]" in result.err and "--forces" in result.err, str(result))
    require({name: (folder / name).read_bytes() for name in harness.files_in(folder)} == before, "files have changed")


def test_what_cannot_be_written(program, folder, source):
    """It is said before anything is computed."""
    solution(folder)
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    names = ["missing/trace.json", "closed", "run.inp/trace.json"] + ([] if harness.is_root() else ["closed/trace.json"])
    for name in names:
        result = program.run(folder, "bench", "-i", "run.inp", "--steps", "1000000", "--trace", name, expect=IO, timeout=60)
        require("[MD601]" in result.err and "--trace" in result.err and not result.out, str(result))
    program.run(folder, "bench", "-i", "run.inp", "--steps", "3", "--trace", "/dev/full", expect=IO)
    require(harness.files_in(folder) == ["box.gro", "box.top", "run.inp"], f"files are left: {harness.files_in(folder)}")


TESTS = [
    test_step_loop,
    test_earlier_file_is_kept,
    test_inputs_are_not_overwritten,
    test_what_cannot_be_written,
]

if __name__ == "__main__":
    harness.main(TESTS)
