# SPDX-License-Identifier: Apache-2.0
"""Links between the pages lead somewhere, and docs/theory/README.md lists every page of its folder."""
import pathlib
import re
import sys

import sources

LINK = re.compile(r"\]\(([^)\s]+)\)")
FOLDERS = ("docs", "inputs", "validation", "examples")


def anchors_of(text):
    """As GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(text, folder):
    for link in LINK.findall(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = folder / name if name else None
        if target and not target.exists():
            yield link
        elif anchor and target and target.suffix == ".md" and anchor not in anchors_of(sources.read(target)):
            yield link


def main():
    root = pathlib.Path(sys.argv[2])
    if list(broken_links("[a](no-such-page.md) [b](README.md#no-such-heading)", root)) == []:
        print("broken links are not found")
        return 1
    problems, pages = [], [root / "README.md"] + sources.files(root, FOLDERS, (".md",))
    for page in pages:
        for link in broken_links(sources.read(page), page.parent):
            problems.append(f"{page.relative_to(root)}: the link {link} leads nowhere")
    index = sources.read(root / "docs" / "theory" / "README.md")
    for page in sorted((root / "docs" / "theory").glob("*.md")):
        if page.name != "README.md" and f"({page.name})" not in index:
            problems.append(f"docs/theory/README.md does not list {page.name}")
    print("\n".join(problems) or f"{len(pages)} pages, all links lead somewhere")
    return 1 if problems else 0


sys.exit(main())
