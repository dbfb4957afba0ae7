# SPDX-License-Identifier: Apache-2.0
"""For tests that start daemons and hosts: they run in namespaces of their own, where they meet nothing else of this
machine, and of which nothing is left however they end."""

import os
import shutil
import subprocess
import sys

NAMESPACES = ("--pid", "--fork", "--kill-child", "--mount-proc", "--net")
MARK = "MDSIM_TEST_APART"
# Beside 127.0.0.1 the loopback has an address of documentation (RFC 5737): getaddrinfo with AI_ADDRCONFIG, as in Slurm,
# finds nothing on a machine that has no other.
NETWORK = "ip link set lo up && ip addr add 192.0.2.1/32 dev lo"


def unavailable(programs):
    """Why this machine cannot have it, or None."""
    missing = [name for name in ("ip", "unshare", *programs) if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if os.geteuid() != 0:
        return "namespaces need root"
    probe = ["unshare", *NAMESPACES, "--ipc", "--uts", "sh", "-c", f"mount -t tmpfs tmpfs /dev/shm && {NETWORK}"]
    done = subprocess.run(probe, capture_output=True, text=True)
    return None if done.returncode == 0 else f"this machine allows no namespaces: {done.stderr.strip()}"


def go_apart(programs, skipped):
    """Starts this test again in namespaces of its own, or ends with the exit code `skipped` and says why."""
    if MARK in os.environ:
        return
    reason = unavailable(programs)
    if reason:
        print(f"skipped: {reason}")
        sys.exit(skipped)
    os.environ[MARK] = "1"
    again = ["sh", "-c", NETWORK + ' && exec "$@"', "sh", sys.executable, *sys.argv]
    os.execvp("unshare", ["unshare", *NAMESPACES, *again])
