# SPDX-License-Identifier: Apache-2.0
"""Every MDnnn code of the sources has a page in docs/errors/, and its README lists all pages."""
import pathlib
import re
import sys

SUFFIXES = {".cpp", ".h", ".cu", ".py"}


def codes_in_sources(source):
    codes = {}
    for folder in ("src", "io", "gpu"):
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                for code in re.findall(r'"(MD\d{3})"', path.read_text(encoding="utf-8")):
                    codes.setdefault(code, path.relative_to(source))
    return codes


def main():
    source = pathlib.Path(sys.argv[2])
    pages = source / "docs" / "errors"
    codes = codes_in_sources(source)
    index = (pages / "README.md").read_text(encoding="utf-8")
    problems = []
    if len(codes) < 10:
        problems.append(f"only {len(codes)} codes found: the search is broken")
    for code, where in sorted(codes.items()):
        page = pages / f"{code}.md"
        if not page.is_file():
            problems.append(f"{code} of {where} has no page docs/errors/{code}.md")
        elif not page.read_text(encoding="utf-8").startswith(f"# {code}: "):
            problems.append(f"docs/errors/{code}.md does not begin with '# {code}: '")
    for page in sorted(pages.glob("MD*.md")):
        if f"({page.name})" not in index:
            problems.append(f"docs/errors/README.md does not list {page.name}")
        if page.stem not in codes:
            print(f"note: no source uses the code of docs/errors/{page.name}")
    print("\n".join(problems) or f"{len(codes)} codes, all documented")
    return 1 if problems else 0


sys.exit(main())
