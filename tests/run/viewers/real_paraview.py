# SPDX-License-Identifier: Apache-2.0
"""The real ParaView: runs scripts in pvbatch on a display of their own. With MDSIM_PARAVIEW_ROOT the one in that root
(scripts/paraview_root.sh), which has Debian's current libexpat1."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import Failure

SECONDS = 240  # ParaView alone takes ten to start on a busy machine
ROOT = os.environ.get("MDSIM_PARAVIEW_ROOT")
IN_ROOT = str(Path(__file__).resolve().parents[3] / "scripts" / "paraview_root.sh")


def missing():
    """What is not there, or nothing."""
    if ROOT:
        return []
    return [name for name in ("pvbatch", "Xvfb") if shutil.which(name) is None]


class Display:
    """A screen in memory. Xvfb chooses its number itself, so that two at once do not meet. It must not begin anew when
    its last client leaves: ParaView comes and goes several times as it starts, and aborts where it finds no server."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as numbers:
            self.number = numbers.readline().strip()
        if not self.number:
            raise Failure("Xvfb did not start")
        return f":{self.number}"

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(timeout=60)


def versions():
    """Of what reads the files: Debian's packages."""
    command = ["dpkg-query", "-W", "-f=${Package} ${Version}; ", "python3-paraview", "libexpat1"]
    return subprocess.run([IN_ROOT, "exec", ROOT, *command] if ROOT else command, capture_output=True, text=True, cwd="/").stdout


def run(command, folder, **variables):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS,
                          stdin=subprocess.DEVNULL, env={**os.environ, **variables})


def pvbatch(script, *arguments, folder):
    """What the script printed; a failure where it fails."""
    words = [str(script), *map(str, arguments)]
    if ROOT:
        seen = {str(Path(word).parent) for word in words[1:] if Path(word).is_absolute()}
        completed = run([IN_ROOT, "run", ROOT, *words], folder, PVROOT_BIND=":".join(sorted(seen)))
    else:
        with Display() as display:
            completed = run(["pvbatch", *words], folder, DISPLAY=display)
    if completed.returncode != 0:
        raise Failure(f"pvbatch {script} ended with {completed.returncode}\n{completed.stdout[-3000:]}\n{completed.stderr[-3000:]}")
    return completed.stdout
