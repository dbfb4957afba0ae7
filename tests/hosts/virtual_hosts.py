# SPDX-License-Identifier: Apache-2.0
"""Hosts that share this machine's files and processors and nothing else: each has namespaces of its own for network,
host name, mounts, shared memory and processes, and a cable into a bridge. To be called apart (apart.py)."""

import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

NEEDED = ("nsenter", "mpirun")


def _run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Hosts:
    """`count` hosts h1, h2, ... of a network, started by the constructor, ended by `stop`."""

    def __init__(self, folder, count=2):
        self.folder = Path(folder).resolve()
        self.network = "10.77.0"
        self.bridge = "bridge"
        self.names = [f"h{n + 1}" for n in range(count)]
        self.inits, self.holders = {}, []
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    @property
    def subnet(self):
        return f"{self.network}.0/24"

    def _start(self):
        table = "127.0.0.1 localhost\n" + "".join(f"{self.network}.{n + 1} {name}\n" for n, name in enumerate(self.names))
        (self.folder / "hosts").write_text(table)
        _run("ip", "link", "add", self.bridge, "type", "bridge")
        _run("ip", "addr", "add", f"{self.network}.254/24", "dev", self.bridge)
        _run("ip", "link", "set", self.bridge, "up")
        for n, name in enumerate(self.names):
            self._boot(n + 1, name)

    def _boot(self, number, name):
        """Its first process does nothing; when that ends, all that runs on the host does."""
        ready = self.folder / f"{name}.ready"
        script = (
            f"hostname {name} && ip link set lo up && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && "
            f"mount --bind {self.folder}/hosts /etc/hosts && touch {ready} && exec sleep infinity"
        )
        holder = subprocess.Popen(
            ["unshare", "--net", "--uts", "--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=_die_with_parent,
        )
        self.holders.append(holder)
        end = time.monotonic() + 120
        while not ready.exists():
            if holder.poll() is not None:
                raise RuntimeError(f"no namespaces: {holder.stderr.read().strip()}")
            if time.monotonic() > end:
                raise RuntimeError(f"host {name} does not start")
            time.sleep(0.02)
        init = int((Path("/proc") / str(holder.pid) / "task" / str(holder.pid) / "children").read_text().split()[0])
        self.inits[name] = init
        cable = f"{self.bridge}.{number}"
        _run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", init)
        _run("ip", "link", "set", cable, "master", self.bridge, "up")
        self._enter(name, "ip", "addr", "add", f"{self.network}.{number}/24", "dev", "eth0")
        self._enter(name, "ip", "link", "set", "eth0", "up")

    def _enter(self, name, *command):
        return _run("nsenter", "-t", self.inits[name], "-n", *command)

    def remote_shell(self):
        """A script in place of ssh, for mpirun: HOST COMMAND..."""
        path = self.folder / "remote_shell"
        cases = "".join(f"{name}) init={init} ;;\n" for name, init in self.inits.items())
        path.write_text(
            f'#!/bin/bash\nhost=$1\nshift\ncase $host in\n{cases}esac\n'
            'exec nsenter -t "$init" -n -u -m -i -p --wd="$PWD" -- sh -c "$*"\n'
        )
        path.chmod(0o755)
        return path

    def cut(self, name):
        _run("ip", "link", "set", f"{self.bridge}.{self.names.index(name) + 1}", "down")

    def stop(self):
        for holder in self.holders:
            holder.kill()
            holder.wait()
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True)
