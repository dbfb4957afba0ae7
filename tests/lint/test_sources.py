# SPDX-License-Identifier: Apache-2.0
"""Limits of the house style: licence line, sizes of files, folders and functions, and what no source may contain."""
import collections
import pathlib
import re
import sys
import tempfile

import sources

LICENCE = "SPDX-License-Identifier: Apache-2.0"
LINES = {".h": 250, ".cpp": 400, ".inl": 400, ".cu": 400}
FILES_A_FOLDER = 15
FUNCTION_LINES = 80
SCRIPTS = (".py", ".sh", ".cmake", ".txt")
# Data of tests are cases, one a file, not sources.
NO_LIMIT = ("tests/data/",)
# Where build flags may decide, and macros that are no build flags: instruction sets, and a parameter of an include.
CONDITIONALS_ALLOWED = ("src/parallel/", "gpu/api/", "src/run/build.cpp", "tests/")
NO_BUILD_FLAG = re.compile(r"^\s*(?:defined\()?!?\s*(?:HWY_\w+|MDSIM_FORMULA)\b")
# These lint, or lay out the folders of a root of its own.
NAME_PATHS = ("tests/lint/", "scripts/paraview_root.sh")
# What the kernel and the installations of Debian's packages call their own places, on every machine.
PATHS_ALLOWED = re.compile(r"/proc/(?:cpuinfo|self/|meminfo)|/etc/hosts$|/usr/(?:local/gromacs/)?share/(?:gromacs|freesasa)/|/usr/bin/python3$")
ABSOLUTE = re.compile(r"(?<![\w.$})*/:-])/(?:home|root|tmp|usr|opt|var|etc|mnt|srv|work|proc|data)/[\w./-]*")
# Comm::abort ends all ranks; a thread ends a process whose main thread waits for ever.
ENDING_ALLOWED = ("src/parallel/", "src/run/cluster/progress_watch.")
FORBIDDEN = (
    (re.compile(r"(?<![\w.>])(?:exit|abort|_exit|_Exit|quick_exit)\s*\("), "ends the process: throw an error instead"),
    (re.compile(r"\bstd::(?:cout|cerr)\b"), "writes past the log: use fmt::print or the log"),
    (re.compile(r"\busing namespace std\b"), "using namespace std"),
)
LEFTOVER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
HEADER_OF_FUNCTION = re.compile(r"\)\s*(?:const|noexcept|override|final|mutable|&|->[^;{}=]*|:[^;]*|\s)*$", re.S)
NO_FUNCTION = re.compile(r"^\s*(?:if|for|while|switch|catch|namespace|struct|class|enum|union|do|else|try)\b|=\s*$")


def function_lengths(text):
    """(name's line, lines) of each function that is not inside another one."""
    text = sources.bare(text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.M)
    blocks, begin, inside = [], 0, 0
    for position, character in enumerate(text):
        if character == "{":
            header = text[begin:position]
            is_function = not inside and HEADER_OF_FUNCTION.search(header) and not NO_FUNCTION.search(header)
            start = begin + len(header) - len(header.lstrip())
            blocks.append((is_function, sources.line_of(text, start)))
            inside += bool(is_function)
        elif character == "}" and blocks:
            is_function, line = blocks.pop()
            if is_function:
                inside -= 1
                yield line, sources.line_of(text, position) - line + 1
        if character in "{};" and not inside:
            begin = position + 1


def check_text(file, text, problems):
    lines = text.split("\n")
    head = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
    if LICENCE not in head:
        problems.append(f"{file}:1: the first line is not the licence line")
    for number, line in enumerate(lines, 1):
        for path in ABSOLUTE.findall(line):
            if not PATHS_ALLOWED.match(path) and not line.startswith("#!") and not file.startswith(NAME_PATHS):
                problems.append(f"{file}:{number}: absolute path {path}")
        if LEFTOVER.search(line) and not file.startswith("tests/lint/"):
            problems.append(f"{file}:{number}: leftover: {line.strip()}")


def check_code(file, text, problems):
    suffix = pathlib.PurePosixPath(file).suffix
    if text.count("\n") > LINES[suffix]:
        problems.append(f"{file}: {text.count(chr(10))} lines, above {LINES[suffix]}")
    code = sources.bare(text)
    if suffix == ".h" and not re.search(r"^#pragma once$", code, re.M):
        problems.append(f"{file}: no #pragma once")
    if not file.startswith(CONDITIONALS_ALLOWED):
        for match in re.finditer(r"^[ \t]*#[ \t]*(?:ifdef|ifndef|if|elif)\b([^\n]*)", code, re.M):
            if not NO_BUILD_FLAG.match(match.group(1)):
                problems.append(f"{file}:{sources.line_of(code, match.start())}: conditional{match.group(1)}")
    if not file.startswith("tests/"):
        for pattern, why in FORBIDDEN:
            if why.startswith("ends the process") and file.startswith(ENDING_ALLOWED):
                continue
            for match in pattern.finditer(code):
                problems.append(f"{file}:{sources.line_of(code, match.start())}: {why}")
    for line, length in function_lengths(text):
        if length > FUNCTION_LINES:
            problems.append(f"{file}:{line}: a function of {length} lines, above {FUNCTION_LINES}")


def check(root):
    problems, count, lengths = [], 0, []
    others = [root / "CMakeLists.txt"] + sources.files(root, ("cmake", "scripts", "tests", "inputs", "validation"), SCRIPTS)
    for path in [p for p in others if p.is_file()]:
        check_text(path.relative_to(root).as_posix(), sources.read(path), problems)
    for path in sources.files(root):
        file, text = path.relative_to(root).as_posix(), sources.read(path)
        check_text(file, text, problems)
        check_code(file, text, problems)
        lengths += [length for _, length in function_lengths(text)]
        count += 1
    everything = [p for folder in sources.TOP_FOLDERS + ("scripts", "cmake") for p in (root / folder).rglob("*")
                  if p.is_file() and "__pycache__" not in p.parts]
    for folder, files in sorted(collections.Counter(p.parent for p in everything).items()):
        name = folder.relative_to(root).as_posix() + "/"
        if files > FILES_A_FOLDER and not name.startswith(NO_LIMIT):
            problems.append(f"{name}: {files} files, above {FILES_A_FOLDER}: split it by noun")
    return problems, count, lengths


def finds_planted_faults():
    """A test that cannot fail is none: faults in a small tree must all be found."""
    long_function = "int f(int a) {\n" + "    a += 1;\n" * 90 + "    return a;\n}\n"
    texts = {
        "src/core/a.cpp": "// " + LICENCE + '\n#ifdef MDSIM_FAST\n#endif\nvoid g() { exit(1); }\n' + long_function,
        "src/core/b.h": "int x;\n" + "\n" * 260,
        "src/core/c.cpp": "// " + LICENCE + '\nconst char* p = "' + "/ho" + 'me/me/file";  // TO' + "DO\n",
    }
    texts.update({f"src/many/f{n}.cpp": "// " + LICENCE + "\n" for n in range(16)})
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = "\n".join(check(root)[0])
    wanted = ("licence line", "absolute path", "leftover", "lines, above 250", "no #pragma once", "conditional MDSIM_FAST",
              "ends the process", "a function of 93 lines", "src/many/: 16 files")
    missed = [text for text in wanted if text not in found]
    if missed:
        print(f"planted faults not found: {', '.join(missed)}\n{found}")
    return not missed


def main():
    if not finds_planted_faults():
        return 1
    problems, count, lengths = check(pathlib.Path(sys.argv[2]))
    if count < 100:
        problems.append(f"only {count} sources found: the search is broken")
    short = sum(length <= 40 for length in lengths) / max(1, len(lengths))
    if short < 0.9:
        problems.append(f"only {100 * short:.1f} % of the functions have at most 40 lines; nine of ten should")
    print("\n".join(problems) or f"{count} sources, {len(lengths)} functions ({100 * short:.1f} % up to 40 lines): all within the limits")
    return 1 if problems else 0


sys.exit(main())
