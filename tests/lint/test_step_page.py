# SPDX-License-Identifier: Apache-2.0
"""docs/how_a_step_works.md follows the text of the step: what `advance` and `evaluate` call is named in its sections in
that order, and every function that the page names is in the sources. The same step for every machine: none of its functions
asks whether there is a device, nor for ranks or flags of the build."""
import itertools
import pathlib
import re
import sys

import sources

STEPS = {
    "Simulation::advance": "src/run/simulation.cpp",
    "ForceSet::evaluate": "src/forces/force_set.cpp",
    "ForceSet::attempt": "src/forces/force_set.cpp",
}
# Language, accessors and bookkeeping, which are no part of the story.
SILENT = {"if", "for", "while", "return", "switch", "static_cast", "size", "timer", "part", "forces", "thread_count", "find",
          "end", "empty", "get", "ScopedTimer", "move", "stop", "ids", "local_forces", "sites", "to_halo", "from_halo", "back"}
# The rest of what a step goes through, beside STEPS.
UNCONDITIONAL = {
    "src/run/simulation.cpp": ("Simulation::integrate", "Simulation::finish_step", "Simulation::try_volume"),
    "src/forces/force_set.cpp": ("ForceSet::launch_device", "ForceSet::compute_home", "ForceSet::compute", "ForceSet::collect_device"),
}
# What a condition must not be about; a loop over terms of a device, which may be none, is no condition.
CONDITION = re.compile(r"\bif\s*(?:constexpr\s*)?\([^;{]*\b\w*(?:gpu|device|backend|cuda|hip|rank)\w*|^\s*#\s*if", re.M | re.I)
CALL = re.compile(r"\b(\w+)\s*\(")
NAMED = re.compile(r"`(?:[\w:]+(?:::|\.))?(\w+)\(\)`")


def body_of(text, name):
    """What is between the braces of the function, or None."""
    text = sources.bare(text)
    start = re.search(r"\b" + re.escape(name) + r"\([^{;]*\)\s*(?:const)?\s*\{", text)
    if not start:
        return None
    depth, end = 1, start.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[start.end():end - 1]


def step_functions():
    for name, file in STEPS.items():
        yield name, file
    for file, names in UNCONDITIONAL.items():
        for name in names:
            yield name, file


def conditional_functions(root):
    """Step functions that ask about a device, ranks or flags of the build."""
    found = []
    for name, file in step_functions():
        body = body_of(sources.read(root / file), name)
        if body is None:
            found.append(f"{name} is not in {file}")
        elif CONDITION.search(body):
            found.append(f"{name} has a condition on devices, ranks or the build: {CONDITION.search(body).group(0).strip()}")
    return found


def section_of(page, title):
    match = re.search(r"^## " + re.escape(title) + r"\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    return match.group(1) if match else ""


def first_out_of_order(calls, named):
    """The first call that the page does not name after those before it, or None."""
    place = 0
    for call in calls:
        if call not in named[place:]:
            return call
        place = named.index(call, place) + 1
    return None


def main():
    root = pathlib.Path(sys.argv[2])
    page = sources.read(root / "docs" / "how_a_step_works.md")
    problems = conditional_functions(root)
    for faulty in ("if (device_ != nullptr) f();", "#if MDSIM_GPU_CUDA\nf();\n#endif", "if (!on_gpu && x) f();"):
        if not CONDITION.search(faulty):
            problems.append(f"not found: {faulty}")
    for name, file in STEPS.items():
        body = body_of(sources.read(root / file), name)
        if body is None:
            problems.append(f"{name} is not in {file}")
            continue
        calls = [call for call, _ in itertools.groupby(c for c in CALL.findall(body) if c not in SILENT)]
        named = NAMED.findall(section_of(page, name))
        missing = first_out_of_order(calls, named)
        if len(calls) < 4:
            problems.append(f"{name}: only {len(calls)} calls found: the search is broken")
        if missing:
            problems.append(f"{name} calls {missing}(), which its section does not name in that place; calls: {calls}")
        # It must be able to fail.
        if first_out_of_order(list(reversed(calls)), named) is None:
            problems.append(f"{name}: the reversed order is accepted too")
    everything = "\n".join(sources.read(p) for p in sources.files(root, ("src", "io", "gpu")))
    for name in sorted(set(NAMED.findall(page))):
        if not re.search(r"\b" + name + r"\b\s*\(", everything):
            problems.append(f"the page names {name}(), which no source has")
    print("\n".join(problems) or "the page follows the step")
    return 1 if problems else 0


sys.exit(main())
