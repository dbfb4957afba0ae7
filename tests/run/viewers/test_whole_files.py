# SPDX-License-Identifier: Apache-2.0
"""What a run writes for ParaView never names anything that is not there: killed before any of the calls by which it
changes files, and on a disk that is full."""
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from formats import readers  # noqa: E402
from harness import (FINISHED, HEAD, IO, RELAX, STOPPED, dynamics, files_in, fresh_folder, is_root, main,
                     require, require_same_bytes, require_same_h5, solution)

readers.choose()
import h5py  # noqa: E402

HERE = Path(__file__).resolve().parent
POINTS = 40  # of the calls before which a run is killed
OUTPUT = """\
[output]
trajectory = { every = "5 steps", format = ["h5md", "vtk"], velocities = true }
checkpoint = { every = "10 steps" }
"""


def prepared(folder, steps):
    # Frames large enough to have chunks of their own: small ones share them, and HDF5 moves a shared chunk as it grows.
    solution(folder, edge=7, methanols=8)
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX + dynamics("produce", steps, 'temperature = "300 K"'))


def named_in_xdmf(folder):
    """For each frame of run.xdmf the names of the datasets in it, which must be there with the extent that it says."""
    if not (folder / "run.xdmf").exists():
        return []
    frames = []
    atoms, box = xml.parse(folder / "run.xdmf").getroot().find("Domain")
    require((atoms.get("Name"), box.get("Name"), len(atoms)) == ("atoms", "box", len(box)), "blocks of run.xdmf")
    for grid in atoms:
        names = []
        for item in grid.iter("DataItem"):
            file, name = item.text.split(":", 1)
            with h5py.File(folder / file, "r") as windows:
                require(name in windows, f"{file} has no {name}")
                extent = [int(word) for word in item.get("Dimensions").split()]
                require(list(windows[name].shape) == extent, f"{name} has the extent {windows[name].shape}")
            names.append(name)
        frames.append(names)
    return frames


def require_whole(folder, reference):
    """All that run.xdmf, run.vtkhdf and run.pvd name is there, with the values of an undisturbed run. Returns the number
    of frames of the two."""
    frames = named_in_xdmf(folder)
    if (folder / "run.vtkhdf").exists():
        with h5py.File(folder / "run.vtkhdf", "r") as windows, h5py.File(reference / "run.h5", "r") as run:
            for names in frames:
                for name in (name for name in names if name.startswith("/frames/")):
                    _, _, vector, frame = name.split("/")
                    expected = run[f"particles/trajectory/{vector}/value"][int(frame)]
                    require((windows[name][()] == expected).all(), f"{name} has other values than {reference.name}")
            shown = windows["VTKHDF/Steps/Values"].shape[0]
            require(windows["VTKHDF/Points"].shape[0] == shown * run["particles/trajectory/position/value"].shape[1], "extent of /VTKHDF/Points")
            require(shown >= len(frames), f"run.xdmf shows {len(frames)} frames, run.vtkhdf {shown}")
    files = []
    if (folder / "run.pvd").exists():
        files = [each.get("file") for each in xml.parse(folder / "run.pvd").getroot().iter("DataSet")]
    for file in files:
        require_same_bytes(folder / file, reference / file)
    return len(frames), len(files) // 2


def killed_before_any_call(program, folder, _source):
    shim = folder / "die_at_call.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, HERE / "die_at_call.c", "-ldl"], check=True)
    reference, begun = fresh_folder(folder, "reference"), fresh_folder(folder, "begun")
    for place in (reference, begun):
        prepared(place, 30)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    program.run(begun, "-i", "run.inp", "--set", "debug.stop_at_step=12", expect=STOPPED)

    def goes_on(place, **variables):
        return program.run(place, "-i", "run.inp", variables={"LD_PRELOAD": str(shim), **variables})

    counted = Path(shutil.copytree(begun, folder / "counted"))
    result = goes_on(counted, CALLS=str(folder / "calls.txt"))
    require(result.code == FINISHED, str(result))
    calls = int((folder / "calls.txt").read_text())
    frames = set()
    for point in range(POINTS):
        place = Path(shutil.copytree(begun, folder / "killed"))
        at = 1 + point * calls // POINTS
        result = goes_on(place, DIE_AT=str(at))
        require(result.code == -9, f"not killed before call {at} of {calls}\n{result}")
        try:
            frames.add(require_whole(place, reference))
        except OSError as failure:
            require(False, f"killed before call {at} of {calls}, {files_in(place)}: {failure}")
        if point % 8 == 0:
            program.run(place, "-i", "run.inp", expect=FINISHED)
            require(require_whole(place, reference) == (7, 7), "frames at the end")
        shutil.rmtree(place)
    require(len(frames) >= 4, f"{calls} calls, but only {frames} frames were seen")


def a_full_disk(program, folder, _source):
    """A file system of a few megabytes: the error names the file, what is there opens, and the run goes on when there
    is room."""
    reference, disk = fresh_folder(folder, "reference"), fresh_folder(folder, "disk")
    prepared(reference, 30)
    prepared(disk, 30)
    program.run(disk, "-i", "run.inp", "--set", "debug.stop_at_step=12", expect=STOPPED)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    saved = shutil.copytree(disk, folder / "saved")
    used = sum(path.stat().st_size for path in disk.rglob("*") if path.is_file())
    for room in (used // 5, used // 3, used // 2):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + room}", "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            print("no tmpfs can be mounted here; unit_io_vtk has a limit on the size of files in its place")
            return
        try:
            shutil.copytree(saved, disk, dirs_exist_ok=True)
            result = program.run(disk, "-i", "run.inp")
            require(result.code == IO and re.search(r"error: \[MD6\d\d\] .*run\.", result.err), str(result))
            require(not [f for f in files_in(disk) if f.endswith((".new", ".journal"))], f"half a file: {files_in(disk)}")
            require(min(require_whole(disk, reference)) >= 3, "frames that were there are gone")
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True, capture_output=True)
            program.run(disk, "-i", "run.inp", expect=FINISHED)
            require(require_whole(disk, reference) == (7, 7), "frames at the end")
            require_same_h5(disk / "run.h5", reference / "run.h5")
        finally:
            subprocess.run(["umount", disk], capture_output=True)


def a_full_disk_for_a_conversion(program, folder, _source):
    prepared(folder, 30)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    disk = fresh_folder(folder, "disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", disk], capture_output=True).returncode != 0:
        return
    try:
        for out in ("out.pvd", "out.h5"):
            result = program.run(folder, "convert", "run.h5", f"disk/{out}")
            require(result.code == IO and "MD6" in result.err and "out." in result.err, str(result))
            require(not files_in(disk), f"left behind: {files_in(disk)}")
        result = program.run(folder, "map", "run.h5", "disk/out.vti", "--spacing", "0.01 nm", "--quantity", "charge", "--every", "6")
        require(result.code == IO and "MD6" in result.err and "out.vti" in result.err, str(result))
        require(not files_in(disk), f"left behind: {files_in(disk)}")
    finally:
        subprocess.run(["umount", disk], capture_output=True)


main([killed_before_any_call, a_full_disk, a_full_disk_for_a_conversion])
