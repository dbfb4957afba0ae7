# SPDX-License-Identifier: Apache-2.0
"""mdsim report: one page that needs nothing else, with the numbers of the run; drawn by a browser where one is there."""

import csv
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness import FINISHED, HEAD, INPUT, OUTPUT, RELAX, STOPPED, dynamics, main, require, solution  # noqa: E402


class Page(HTMLParser):
    """What a page is made of: elements, attributes, texts of headings."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes, self.headings, self._heading = [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.attributes += attributes
        self._heading = tag == "h2"

    def handle_data(self, data):
        if self._heading:
            self.headings.append(data)
        self._heading = False


def require_self_contained(text):
    page = Page(text)
    forbidden = {"script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image", "foreignobject"}
    require(not forbidden & set(page.elements), f"elements {forbidden & set(page.elements)}")
    for name, value in page.attributes:
        require(not name.startswith("on") and name not in ("src", "href", "xlink:href", "srcset", "action"),
                f"attribute {name}={value}")
        require("javascript:" not in (value or ""), f"attribute {name}={value}")
    for word in ("http:", "https:", "url(", "@import", "//cdn"):
        require(word not in text, f"{word} in the page")
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    for drawing in drawings:
        tree = ElementTree.fromstring(drawing)
        numbers = " ".join(line.get("points") for line in tree.iter("polyline"))
        require("nan" not in numbers and "inf" not in numbers, "a number in a drawing")
    return page, drawings


def prepare(folder, extra=""):
    solution(folder, edge=6)
    stages = RELAX + dynamics("heat", 40, 'temperature = "300 K"') + dynamics("produce", 400, 'temperature = "300 K"\n' + extra)
    (Path(folder) / "run.inp").write_text('title = "Methanol <b>& water</b>"\n' + HEAD + OUTPUT + stages)


def report(program, folder, *words, expect=FINISHED):
    done = subprocess.run([program.path, "report", *map(str, words)], cwd=folder, capture_output=True, text=True)
    require(done.returncode == expect, f"report {words}: exit code {done.returncode}\n{done.stderr}")
    return done


def test_page_of_a_run(program, folder, source):
    prepare(folder)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    report(program, folder, "run")
    text = (folder / "run.report.html").read_text()
    page, drawings = require_self_contained(text)
    require("Methanol &lt;b&gt;&amp; water&lt;/b&gt;" in text and "b" not in page.elements, "the title is not escaped")
    wanted = ["System", "Stages", "Warnings", "Averages and drift", "Energies, temperature, pressure, density, box",
              "Protein and water", "Where the time goes", "Settings"]
    require(page.headings == wanted, f"sections {page.headings}")
    titles = {ElementTree.fromstring(drawing).get("aria-label") for drawing in drawings}
    for title in ("Temperature", "Potential", "Conserved", "Pressure", "Density", "Box", "share of time",
                  "Radial distribution function of water"):
        require(title in titles, f"no drawing {title}: {titles}")
    # The mean of the last stage, from the table of energies.
    rows = list(csv.DictReader((folder / "run.energies.csv").open()))
    values = [float(row["temperature [K]"]) for row in rows if int(row["step"]) > 40]
    found = re.search(r"<td>produce</td><td>temperature</td><td class=\"n\">([\d.]+) \u00b1 ([\d.]+)", text)
    require(found, "no mean temperature of the last stage")
    mean, error = map(float, found.groups())
    require(abs(mean - sum(values) / len(values)) < max(error, 0.1), f"mean {mean}, of the table {sum(values) / len(values)}")


def test_page_of_a_run_under_way(program, folder, source):
    prepare(folder)
    program.run(folder, "-i", "run.inp", "--set", "debug.stop_at_step=100", expect=STOPPED)
    report(program, folder, "run", "-o", "page.html")
    text = (folder / "page.html").read_text()
    require_self_contained(text)
    require("<strong>stopped</strong> at step 100" in text, "where it stands")
    # Without a trajectory and with half a line, as while it is being written.
    for ending in ("h5", "xtc", "trr", "dcd", "nc", "gro"):
        (folder / f"run.{ending}").unlink(missing_ok=True)
    table = (folder / "run.energies.csv").read_bytes()
    (folder / "run.energies.csv").write_bytes(table[: len(table) * 2 // 3])
    report(program, folder, "run", "-o", "page.html")
    text = (folder / "page.html").read_text()
    require_self_contained(text)
    require("nothing was measured on the trajectory" in text, "it does not say what is missing")
    report(program, folder, "walk", expect=INPUT)


def pixels_of(png):
    """Width, height and rows of RGB(A) bytes of a PNG without interlacing, eight bits a channel."""
    data = png.read_bytes()
    require(data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG")
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            require(depth == 8 and colour in (2, 6), f"PNG of depth {depth}, colour type {colour}")
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    channels = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(packed), width * channels
    rows, before = [], bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            up, corner = before[i], before[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                near = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        rows.append(bytes(line))
        before = line
    return width, height, channels, rows


def test_drawn_by_a_browser(program, folder, source):
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("not drawn, for want of chromium")
        return
    prepare(folder)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    report(program, folder, "run")
    picture = folder / "page.png"
    # No network. (Without scripts the browser itself takes no picture; that the page has none is tested above.)
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,1800",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    f"--user-data-dir={folder / 'browser'}", f"--screenshot={picture}",
                    (folder / "run.report.html").resolve().as_uri()],
                   capture_output=True, timeout=240, check=True)
    width, height, channels, rows = pixels_of(picture)
    require((width, height) == (1000, 1800), f"picture of {width} x {height}")
    seen = {}
    for row in rows:
        for at in range(0, len(row), channels):
            colour = row[at : at + 3]
            seen[colour] = seen.get(colour, 0) + 1
    paper = max(seen, key=seen.get)
    require(paper == b"\xff\xff\xff", f"paper of colour {paper}")
    ink, line, average = seen.get(b"\x1b\x24\x30", 0), seen.get(b"\xb4\xc3\xd6", 0), seen.get(b"\x1f\x5f\xa8", 0)
    require(ink > 500 and line > 10 and average > 200, f"pixels of text {ink}, of lines {line}, of averages {average}")
    require(1 - seen[paper] / (width * height) > 0.03, "the page is nearly empty")


if __name__ == "__main__":
    main([test_page_of_a_run, test_page_of_a_run_under_way, test_drawn_by_a_browser])
