# SPDX-License-Identifier: Apache-2.0
"""Which MDAnalysis and MDTraj the tests open files with: the current ones of Python's package index, which
`scripts/install-deps.sh --test` puts into build/readers, else those of this Python or of Debian's."""

import os
import subprocess
import sys
from pathlib import Path

from harness import SKIPPED

OWN = Path(__file__).resolve().parents[3] / "build" / "readers" / "bin" / "python"
CHOSEN = "MDSIM_TEST_READERS"  # in the environment: this Python is the one


def has_readers(python):
    probe = [str(python), "-c", "import MDAnalysis, mdtraj, h5py"]
    return subprocess.run(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def choose():
    """Starts the test again with the Python that has them; ends it as skipped where none has."""
    if CHOSEN in os.environ:
        return
    for python in (OWN, Path(sys.executable), Path("/usr/bin/python3")):
        if not python.exists() or not has_readers(python):
            continue
        if python != OWN:
            print(f"not the current readers (scripts/install-deps.sh --test has them) but those of {python}", flush=True)
        os.environ[CHOSEN] = str(python)
        os.execv(python, [str(python), *sys.argv])
    print("skipped: there is no Python with MDAnalysis, MDTraj and h5py")
    sys.exit(SKIPPED)
