# SPDX-License-Identifier: Apache-2.0
"""What `mdsim bench --trace` writes: a file in the Trace Event Format with the steps of the loop and, where a device is
in use, the work of its streams."""
import json
import re
import socket

import harness
from harness import FINISHED, INPUT, IO, require

DYNAMICS = harness.dynamics("produce", 100, 'temperature = "300 K"')
STEPS = 20
NANOSECOND = 1e-3  # [us]
ON_HOST_BACK_END = ("--set", 'hardware.gpu="host"')
DEVICE = "the CPU, thread by thread"


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


def test_streams_of_a_device(program, folder, source):
    """Rows of the host back end, whose kernels the step loop itself executes."""
    solution(folder)
    rows, processes, names = traced(program, folder, *ON_HOST_BACK_END)
    require(DEVICE in processes.values() and len(set(processes.values())) == 2, f"processes: {processes}")
    steps = {span["args"]["step"]: span for span in row_named(rows, names, "step loop") if span["name"] == "step"}
    require(len(steps) == STEPS, f"{len(steps)} steps")
    for row, work in (("mesh", "spread_charges"), ("short-range pairs", "add_pair_forces")):
        spans = row_named(rows, names, row)
        require_nested(spans)
        done_in = [span["args"]["step"] for span in spans if span["name"] == work]
        require(done_in == sorted(steps), f"{work} in the steps {done_in}")
        for span in spans:
            step = steps[span["args"]["step"]]
            begin = span["ts"] - step["ts"]
            slack = 1000.0  # of the clocks, one against the other [us]
            require(-slack <= begin <= begin + span["dur"] <= step["dur"] + slack, f"{span} is not in {step}")


def require_device(report):
    """The kernels are there, and nothing is hidden where the CPU executes them."""
    require(report["name"] == DEVICE and report["measured"] >= 1, str(report))
    for name in ("upload of positions", "gather_points", "spread_charges", "Fourier transform", "add_pair_forces", "download of forces"):
        require(report["operations"][name] > 0, f"no time of {name}: {report}")
    longest = max(report["operations"].values())
    require(longest <= report["busy"] <= 1.001 * sum(report["operations"].values()), f"busy is no sum: {report}")
    require(report["waited"] >= 0 and abs(report["hidden"]) < 1e-6, f"hidden where nothing can be: {report}")


def test_bench_shows_kernels(program, folder, source):
    solution(folder)
    arguments = ["bench", "-i", "run.inp", "--steps", "12", *ON_HOST_BACK_END]
    report = json.loads(program.run(folder, *arguments, "--json", expect=FINISHED).out)
    require_device(report["devices"][0])
    require(report["devices"][0]["measured"] == 12, "of so few evaluations all are measured")
    require(report["devices"][0]["busy"] <= report["parts"]["launch"] + report["parts"]["wait"], f"sums: {report}")
    text = program.run(folder, *arguments, expect=FINISHED).out
    require("add_pair_forces" in text and "hidden" in text, text)
    without = json.loads(program.run(folder, *arguments[:5], "--json", expect=FINISHED).out)
    require("devices" not in without, f"a device without a device: {without}")


def test_log_shows_kernels(program, folder, source):
    solution(folder)
    program.run(folder, "-i", "run.inp", *ON_HOST_BACK_END, expect=FINISHED)
    lines = re.findall(r"^  device: (.*)$", (folder / "run.log").read_text(), re.M)
    require(re.match(DEVICE + r", ms/step \(mean of 4 evaluations out of 101\)$", lines[0]), f"caption: {lines}")
    times = {name: float(ms) for ms, name in (line.split(maxsplit=1) for line in lines[1:])}
    words = {name.split()[0].rstrip(","): ms for name, ms in times.items()}
    require(words["add_pair_forces"] > 0 and words["busy"] >= words["add_pair_forces"], f"times: {times}")
    require(words["hidden"] == 0 and any("0 %" in name for name in times), f"times: {times}")


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


def test_standard_output_stays(program, folder, source):
    """A descriptor that leads to a file: this is appended to, and neither moved aside nor replaced."""
    solution(folder)
    process = program.start(folder, "bench", "-i", "run.inp", "--steps", "3", "--trace", "/proc/self/fd/1")
    require(process.wait(300) == FINISHED, (folder / "messages.txt").read_text())
    text, brace, trace = (folder / "messages.txt").read_text().partition("{")
    require("ms/step" in text and json.loads(brace + trace)["traceEvents"], f"standard output: {text}{brace}{trace[:200]}")
    require(harness.files_in(folder) == ["box.gro", "box.top", "messages.txt", "run.inp"], f"{harness.files_in(folder)}")


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
    test_streams_of_a_device,
    test_bench_shows_kernels,
    test_log_shows_kernels,
    test_earlier_file_is_kept,
    test_inputs_are_not_overwritten,
    test_standard_output_stays,
    test_what_cannot_be_written,
]

if __name__ == "__main__":
    harness.main(TESTS)
