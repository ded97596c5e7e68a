"""A Slurm of one node on the loopback interface, from Debian's slurmctld, slurmd and munge, with all its files in one
folder."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

from command import StudyTest

_CONFIGURATION = """\
ClusterName=headroom
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={slurmd_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
MinJobAge=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """The reason why there is no Slurm here."""


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class OneNodeSlurm:
    """Runs from __enter__ to __exit__; `environment` directs Slurm's commands to it. Raises Unavailable if it cannot
    run."""

    def __init__(self, folder):
        self.folder = folder
        self._started = []

    def __enter__(self):
        for name in ("slurmctld", "slurmd", "munged"):
            if shutil.which(name, path="/usr/sbin:/usr/bin") is None:
                raise Unavailable(f"{name} is not installed: apt-get install slurmctld slurmd munge slurm-client")
        self.folder.mkdir(mode=0o700)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(
            _CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                port=_free_port(),
                slurmd_port=_free_port(),
                folder=self.folder,
                user=getpass.getuser(),
                cpus=os.cpu_count(),
            )
        )
        self.environment = {**os.environ, "SLURM_CONF": str(configuration)}
        try:
            self._start(
                "/usr/sbin/munged",
                "--foreground",
                "--force",
                f"--key-file={key}",
                *(f"--{what}={self.folder}/munge.{end}" for what, end in
                  (("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))),
            )
            self._start("/usr/sbin/slurmctld", "-D", "-f", str(configuration))
            self._start("/usr/sbin/slurmd", "-D", "-f", str(configuration))
            self._wait_for_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, *words):
        self._started.append(
            subprocess.Popen(
                words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
            )
        )

    def _wait_for_node(self):
        until = time.monotonic() + 60
        while self.call("sinfo", "--noheader", "--format", "%t") != "idle":
            if time.monotonic() > until or any(p.poll() is not None for p in self._started):
                logs = [log.read_text(errors="replace")[-300:] for log in sorted(self.folder.glob("*.log"))]
                raise Unavailable("Slurm does not come up:\n" + "\n".join(logs))
            time.sleep(0.2)

    def call(self, *words):
        """The output of one of Slurm's commands."""
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def __exit__(self, *_):
        for process in reversed(self._started):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class SlurmTest(StudyTest):
    """Skipped where `slurm` cannot run."""

    def setUp(self):
        super().setUp()
        try:
            self.slurm = OneNodeSlurm(self.folder / "slurm").__enter__()
        except Unavailable as reason:
            self.skipTest(str(reason))
        self.addCleanup(self.slurm.__exit__)

    def wait(self):
        """Waits for the end of all jobs."""
        until = time.monotonic() + 180
        while self.slurm.call("squeue", "--noheader") and time.monotonic() < until:
            time.sleep(0.2)
