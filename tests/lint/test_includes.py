# SPDX-License-Identifier: Apache-2.0
"""The include graph has no cycle and keeps to the dependency table, which CMakeLists.txt and docs/architecture.md
give alike; libraries from outside are used only where the table below says."""
import pathlib
import re
import sys
import tempfile

import sources

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)
LIBRARY = re.compile(r"mdsim_(?:library|kernels)\(\s*(\w+)\s+(\S+)\s+USES\s+([^)]*)\)")
ROW = re.compile(r"^\| `(\w+)` \| `(\S+?)/?` \| ([^|]*) \|", re.M)
# First part of the header's path -> folders that may include it.
OUTSIDE = {
    "mpi.h": ("src/parallel/",),
    "omp.h": ("src/parallel/",),
    "hdf5.h": ("io/", "tests/"),
    "fftw3.h": ("src/forces/mesh/", "gpu/api/host/", "tests/"),
    "hwloc.h": ("src/run/hardware/node_topology.cpp",),
    "hwloc": ("src/run/hardware/node_topology.cpp",),
    "toml++": ("io/input/", "tests/"),
    "libdeflate.h": ("io/",),
    "CLI": ("src/main.cpp",),
    "catch2": ("tests/",),
    "cuda_runtime.h": ("gpu/api/",),
    "cufft.h": ("gpu/api/",),
    "hip": ("gpu/api/",),
    "vkFFT.h": ("gpu/api/",),
    "vtk": ("io/vtk/library/",),  # all of VTK's headers begin so
}
MADE_BY_CMAKE = ("core/version.h", "run/plan/report/until_finished.h")


def dependencies_of_build(root):
    """Library -> (folder, libraries that it may use directly), from CMakeLists.txt."""
    libraries = {}
    for name, folder, uses in LIBRARY.findall(sources.read(root / "CMakeLists.txt")):
        libraries[name] = (folder, set(re.findall(r"mdsim::(\w+)", uses)))
    return libraries


def dependencies_of_page(root):
    page = sources.read(root / "docs" / "architecture.md")
    return {name: (folder, set(re.findall(r"`(\w+)`", uses))) for name, folder, uses in ROW.findall(page)}


def reachable(libraries, name):
    found, open_names = {name}, [name]
    while open_names:
        for other in libraries[open_names.pop()][1] - found:
            found.add(other)
            open_names.append(other)
    return found


def library_of(libraries, path):
    for name, (folder, _) in libraries.items():
        if path.startswith(folder + "/"):
            return name
    return None


def include_graph(root, problems):
    """File -> files of the tree that it includes; libraries from outside are checked on the way."""
    graph = {}
    for path in sources.files(root, ("src", "io", "gpu")):
        file = path.relative_to(root).as_posix()
        graph[file] = []
        for own, outside in INCLUDE.findall(sources.read(path)):
            allowed = OUTSIDE.get("vtk" if outside.startswith("vtk") else outside.split("/")[0])
            if allowed and not file.startswith(allowed):
                problems.append(f"{file}: <{outside}> belongs to {', '.join(allowed)}")
            for candidate in (f"src/{own}", own):
                if own and (root / candidate).is_file():
                    graph[file].append(candidate)
                    break
            else:
                if own and own not in MADE_BY_CMAKE:
                    problems.append(f'{file}: "{own}" is not in the tree')
    return graph


def find_cycle(graph):
    """One cycle as a list of nodes, or None."""
    state, trail = {}, []

    def visit(node):
        state[node] = "open"
        trail.append(node)
        for other in graph.get(node, ()):
            if state.get(other) == "open":
                return trail[trail.index(other):] + [other]
            if other not in state:
                cycle = visit(other)
                if cycle:
                    return cycle
        trail.pop()
        state[node] = "done"
        return None

    for node in graph:
        if node not in state:
            cycle = visit(node)
            if cycle:
                return cycle
    return None


def check(root, with_page=True):
    problems = []
    libraries = dependencies_of_build(root)
    if with_page and dependencies_of_page(root) != libraries:
        page = dependencies_of_page(root)
        wrong = sorted(n for n in set(page) | set(libraries) if page.get(n) != libraries.get(n))
        problems.append(f"docs/architecture.md and CMakeLists.txt differ about: {', '.join(wrong)}")
    graph = include_graph(root, problems)
    for what, nodes in (("files", graph), ("libraries", {n: d for n, (_, d) in libraries.items()})):
        cycle = find_cycle(nodes)
        if cycle:
            problems.append(f"cycle of {what}: {' -> '.join(cycle)}")
    for file, included in graph.items():
        user = library_of(libraries, file)
        for other in included:
            used = library_of(libraries, other)
            if user and used not in reachable(libraries, user):
                problems.append(f"{file} includes {other}: {user} may not use {used}")
    return problems, graph


def finds_planted_faults():
    """A test that cannot fail is none: three faults in a small tree must all be found."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        texts = {
            "CMakeLists.txt": "mdsim_library(core src/core USES x)\nmdsim_library(io io USES mdsim::core)\n",
            "src/core/a.h": '#include "core/b.h"\n',
            "src/core/b.h": '#include "core/a.h"\n#include "io/c.h"\n',
            "io/c.h": "#include <omp.h>\n",
        }
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        problems = "\n".join(check(root, with_page=False)[0])
    return all(text in problems for text in ("cycle of files", "core may not use io", "<omp.h> belongs to"))


def main():
    if not finds_planted_faults():
        print("the checks do not find faults that were planted")
        return 1
    problems, graph = check(pathlib.Path(sys.argv[2]))
    if len(graph) < 100:
        problems.append(f"only {len(graph)} files found: the search is broken")
    edges = sum(len(included) for included in graph.values())
    print("\n".join(problems) or f"{len(graph)} files, {edges} includes, no cycle, all within the table")
    return 1 if problems else 0


sys.exit(main())
