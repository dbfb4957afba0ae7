# SPDX-License-Identifier: Apache-2.0
"""A Slurm of two nodes on one machine: munge, the controller and a daemon for each node, started as root from Debian's
packages with a configuration of their own, without systemd and control groups. Also by hand:

    one_machine.py FOLDER     starts it, prints what the shell needs to know, and stops it at the end of standard input
"""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

NEEDED = ("munged", "munge", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "nsenter", "mpirun")

# Times are for a busy machine: no daemon, credential or clean stop is given up because it had to wait for a processor.
# (cred_expire is also how long a job waits that is queued again, SlurmdTimeout how long a host without power is believed.)
CONFIGURATION = """\
ClusterName=onemachine
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=15
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
TmpFS={folder}/%n/tmp
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=100000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
ReturnToService=2
KillWait=30
MinJobAge=3600
MessageTimeout=60
SlurmdTimeout=40
InactiveLimit=0
GresTypes=gpu
"""

NODE = """\
NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={cpus} Boards=1 SocketsPerBoard=1 \
CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=8000 Gres=gpu:{gpus} State=UNKNOWN
"""

# A job of the partition `urgent` takes the nodes from one of `preemptible`.
PARTITIONS = """\
PartitionName=main Nodes={nodes} Default=YES MaxTime=INFINITE DefaultTime=10 State=UP PriorityTier=5 PreemptMode=off
PartitionName=preemptible Nodes={nodes} MaxTime=INFINITE DefaultTime=10 State=UP PriorityTier=1 GraceTime=120
PartitionName=urgent Nodes={nodes} MaxTime=INFINITE DefaultTime=10 State=UP PriorityTier=10 PreemptMode=off
"""


def _die_with_parent():
    """What is left behind by a test that is killed would go on for ever."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_ports(count):
    """Ports of the loopback that nobody has now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"waited {seconds} s for {what}")
        time.sleep(0.1)


class Cluster:
    """Started by the constructor, stopped by `stop`. `environment` is what its commands need."""

    def __init__(self, folder, nodes=2, cpus=8, gpus=4):
        self.folder = Path(folder).resolve()
        self.nodes = [f"n{i + 1}" for i in range(nodes)]
        self.daemons = {}
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "OMPI_", "PMIX_"))},
            "SLURM_CONF": str(self.folder / "slurm.conf"),
            "OMPI_MCA_btl_tcp_if_include": "127.0.0.0/8",
            "OMPI_MCA_oob_tcp_if_include": "127.0.0.0/8",
            "OMPI_MCA_mpi_yield_when_idle": "1",  # more ranks than processors
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }
        try:
            self._configure(cpus, gpus)
            self._start()
        except BaseException:
            self.stop()
            raise

    def _configure(self, cpus, gpus):
        (self.folder / "state").mkdir(parents=True)
        self.folder.chmod(0o755)  # munged wants its socket to be in reach of everybody
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        ports = free_ports(len(self.nodes) + 1)
        text = CONFIGURATION.format(folder=self.folder, controller_port=ports[0])
        devices = [self.folder / f"gpu{n}" for n in range(gpus)]
        for device in devices:  # of a character device Slurm believes that it is a GPU
            os.mknod(device, 0o20666, os.makedev(1, 3))
        gres = ""
        for name, port in zip(self.nodes, ports[1:]):
            text += NODE.format(name=name, port=port, cpus=cpus, gpus=gpus)
            gres += f"NodeName={name} Name=gpu File={self.folder}/gpu[0-{gpus - 1}]\n"
        (self.folder / "slurm.conf").write_text(text + PARTITIONS.format(nodes=",".join(self.nodes)))
        (self.folder / "gres.conf").write_text(gres)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def _daemon(self, name, command):
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment, start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    def _start(self):
        f = self.folder
        self._daemon("munged", ["munged", "--foreground", f"--key-file={f}/munge.key", f"--socket={f}/munge.socket",
                                f"--pid-file={f}/munged.pid", f"--log-file={f}/munged.log", f"--seed-file={f}/munge.seed"])
        wait_for(lambda: self.quiet("munge", "-n", "-S", f"{f}/munge.socket"), 120, "munged")
        self._daemon("slurmctld", ["slurmctld", "-D", "-i", "-f", f"{f}/slurm.conf"])
        # The command succeeds before there is a controller, too.
        wait_for(lambda: "is UP" in self.output("scontrol", "ping"), 120, "slurmctld")
        for node in self.nodes:
            self.power_on(node)
        self.wait_until_idle()

    def wait_until_idle(self, seconds=300):
        def idle():
            return len(set(self.output("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split())) == len(self.nodes)

        wait_for(idle, seconds, "idle nodes\n" + self.output("sinfo", "-N", "-l"))

    def power_on(self, node):
        """Each with a host name and shared memory of its own: Open MPI tells hosts apart by the one, and two hosts
        would meet in the other. A fresh folder for temporary files: what PMIx leaves there hinders a second start."""
        shutil.rmtree(self.folder / node, ignore_errors=True)
        (self.folder / node / "tmp").mkdir(parents=True)
        (self.folder / node / "spool").mkdir()
        command = f"hostname {node}; mount -t tmpfs -o mode=1777 tmpfs /dev/shm; exec slurmd -D -N {node} -f $SLURM_CONF"
        self._daemon(node, ["unshare", "--mount", "--ipc", "--uts", "sh", "-c", command])

    def power_off(self, node):
        """The daemon and all that it has started, at once."""
        self.daemons.pop(node).kill()
        self.kill_steps(node)

    def kill_steps(self, node):
        """All that the node's daemon has started, the steps' own daemons among it."""
        for process in self._processes():
            if process.get("SLURMD_NODENAME") == node or (process["comm"] == "slurmstepd" and self._of_node(process, node)):
                _kill(process["pid"])

    def _processes(self):
        """Those whose environment names this configuration: its steps and what runs in them."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                variables = dict(
                    line.split("=", 1) for line in (entry / "environ").read_text(errors="replace").split("\0") if "=" in line
                )
                comm = (entry / "comm").read_text().strip()
            except OSError:
                continue
            if variables.get("SLURM_CONF") == self.environment["SLURM_CONF"]:
                yield {**variables, "pid": int(entry.name), "comm": comm}

    @staticmethod
    def _of_node(process, node):
        """A step's daemon has the host name of its node, which is that of its namespace."""
        found = subprocess.run(["nsenter", "-t", str(process["pid"]), "-u", "hostname"], capture_output=True, text=True)
        return found.stdout.strip() == node

    def end_jobs(self):
        """All of them, at once."""
        self.quiet("scancel", "-u", "root")
        self.quiet("scancel", "-s", "KILL", "-u", "root")
        self.quiet("scancel", "-b", "-s", "KILL", "-u", "root")
        wait_for(lambda: not self.output("squeue", "-h").strip(), 300, "the end of all jobs")

    def stop(self):
        for name, daemon in self.daemons.items():
            if name not in ("slurmctld", "munged"):
                daemon.kill()
        for process in self._processes():
            if process["comm"] == "slurmstepd" or "SLURM_JOB_ID" in process:
                _kill(process["pid"])
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        self.daemons.clear()

    def output(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=300)
        return done.stdout + done.stderr

    def quiet(self, *command):
        return subprocess.run(command, capture_output=True, env=self.environment, timeout=300).returncode == 0

    def submit(self, folder, *command):
        """sbatch of these arguments; the number of the job."""
        done = subprocess.run(["sbatch", "--parsable", *map(str, command)], cwd=folder, capture_output=True, text=True,
                              env=self.environment, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"sbatch {command}: {done.stderr}")
        return done.stdout.strip()

    def facts(self, job):
        """What scontrol says of a job (the first task of an array), by name."""
        text = self.output("scontrol", "-o", "show", "job", job).splitlines()[0]
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def states(self, job):
        """Of all tasks of an array, or of the one job."""
        lines = self.output("scontrol", "-o", "show", "job", job).splitlines()
        return [word.split("=")[1] for line in lines for word in line.split() if word.startswith("JobState=")]


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    cluster = Cluster(sys.argv[1])
    for key, value in cluster.environment.items():
        if key.startswith(("SLURM_", "OMPI_")):
            print(f"export {key}={value}", flush=True)
    try:
        sys.stdin.read()
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
