# SPDX-License-Identifier: Apache-2.0
"""What the lint tests share: the files of the tree, and C++ text without comments and strings."""
import re

CODE = (".cpp", ".h", ".inl", ".cu")
TOP_FOLDERS = ("src", "io", "gpu", "tests")
# Comments, string and character literals; an apostrophe inside a number is none of them.
SILENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'", re.S)
RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)


def files(root, folders=TOP_FOLDERS, suffixes=CODE):
    """Files below the folders with one of the suffixes, sorted by path."""
    found = []
    for folder in folders:
        found += [p for p in (root / folder).rglob("*") if p.is_file() and p.suffix in suffixes]
    return sorted(found)


def read(path):
    return path.read_text(encoding="utf-8")


def bare(text):
    """The text with comments and the insides of strings blanked; line numbers stay."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return SILENT.sub(blank, RAW_STRING.sub(blank, text))


def line_of(text, position):
    return text.count("\n", 0, position) + 1
