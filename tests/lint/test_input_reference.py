# SPDX-License-Identifier: Apache-2.0
"""docs/input_reference.md is what the program makes from its table of keys."""
import difflib
import pathlib
import subprocess
import sys


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    made = subprocess.run([program, "--print-input-reference"], capture_output=True, text=True, encoding="utf-8")
    if made.returncode != 0:
        print(f"--print-input-reference: exit code {made.returncode}\n{made.stderr}")
        return 1
    kept = (source / "docs" / "input_reference.md").read_text(encoding="utf-8")
    if kept == made.stdout:
        return 0
    print("".join(difflib.unified_diff(kept.splitlines(True), made.stdout.splitlines(True), "docs/input_reference.md", "now")))
    print("run: mdsim --print-input-reference >docs/input_reference.md")
    return 1


sys.exit(main())
