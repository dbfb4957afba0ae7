# SPDX-License-Identifier: Apache-2.0
"""Every source is as clang-format would write it (settings in .clang-format). Fragments (.inl), which are no whole
programs, mislead it and are left out."""
import pathlib
import re
import shutil
import subprocess
import sys

import sources

VERSION = "14"  # Debian 12's; other versions lay out some lines in other ways
SKIPPED = 77


def main():
    root = pathlib.Path(sys.argv[2])
    program = shutil.which("clang-format-" + VERSION) or shutil.which("clang-format")
    if program is None:
        print("skipped: clang-format is not installed (scripts/install-deps.sh --test)")
        return SKIPPED
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\d+)", told)
    if not found or found.group(1) != VERSION:
        print(f"skipped: the sources are formatted by clang-format {VERSION}, here is {told.strip()}")
        return SKIPPED
    check = [program, "--dry-run", "-Werror", "--style=file"]
    # It must be able to complain.
    probe = subprocess.run([*check, f"--assume-filename={root / 'src' / 'probe.cpp'}"], input="int  x ;\n", text=True,
                           capture_output=True, check=False)
    if probe.returncode == 0:
        print("clang-format accepts anything: is .clang-format there?")
        return 1
    files = [str(p) for p in sources.files(root, suffixes=(".h", ".cpp"))]
    result = subprocess.run([*check, *files], capture_output=True, text=True, check=False)
    print(result.stderr or f"{len(files)} files as clang-format writes them")
    return 1 if result.returncode else 0


sys.exit(main())
