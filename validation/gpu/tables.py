# SPDX-License-Identifier: Apache-2.0
"""The short tables that the device check ends with."""

import platform

import speed


def rows(head, lines):
    if not lines:
        return ""
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---"] * len(head), *lines)) + "\n"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def everything(check, date, seconds):
    where = "on the host back end, in small: no device" if check.host else "on the device"
    text = f"{date}, {where}; {check.threads} threads of {processor()}; {seconds:.0f} s\n\n"
    verdict = {True: "passed", False: "**failed**", None: ""}
    shown = [r for r in check.rows if r["passed"] is False or not r["part"].startswith("speed")]
    text += rows(("part", "", "result"), [(r["part"], verdict[r["passed"]], r["result"]) for r in shown])
    text += rows(("system", "atoms", "µs/step", "ns/day", "of OpenMM 8.4's step rate an atom, H200"),
                 [(s["system"], f"{s['atoms']:,}", f"{s['us_per_step']:.1f}", f"{s['ns_per_day']:.1f}",
                   f"{100 * s['of_anchor']:.1f} % ({s['anchor']})") for s in check.speeds])
    text += rows(("system", "device busy, µs/step", "CPU waited", "hidden behind the CPU's work"),
                 [(d["system"], *(f"{d[key]:.1f}" for key in ("busy", "waited", "hidden"))) for d in check.devices])
    least = [max(k.get("bytes_us", 0.0), k.get("instructions_us", 0.0)) for k in check.kernels]
    text += rows(("system", "operation", "µs/step", "least by bytes", "least by instructions", "of the least"),
                 [(k["system"], k["operation"], f"{k['us']:.1f}", *(f"{k[w]:.1f}" if w in k else "" for w in ("bytes_us", "instructions_us")),
                   f"{k['us'] / floor:.1f} x" if floor > 0.0 and not check.host else "") for k, floor in zip(check.kernels, least)])
    goal = next((s for s in check.speeds if s["system"] == "DHFR, 4 fs" and not check.host), None)
    if goal:
        met = "met" if goal["of_anchor"] >= speed.GOAL else "missed"
        text += f"Goal, {100 * speed.GOAL:.0f} % of OpenMM's 1,720 ns/day for DHFR at 4 fs: {met} ({goal['ns_per_day']:.0f}).\n"
    return text
