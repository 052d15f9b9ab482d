"""Names of processes that stay true after the process is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from deskhand import processes

SLEEPER = "import sys, time; print('up', flush=True); time.sleep(60)"


def test_a_process_that_is_gone_is_known_at_once_and_one_that_lives_never_counts_as_dead() -> None:
    """TU1, design: a dead one in the same namespace is known at once."""
    process = subprocess.Popen([sys.executable, "-I", "-c", SLEEPER], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    owner = processes.name_of(process.pid)
    assert owner
    assert not processes.is_dead(owner)
    os.kill(process.pid, signal.SIGSTOP)
    assert not processes.is_dead(owner)
    process.kill()
    process.wait(10)
    process.stdout.close()
    assert processes.is_dead(owner)
    assert not processes.is_dead(processes.mine())
    boot = owner.split(" ", 1)[0]
    assert not processes.is_dead(owner.replace(boot, "another-machine"))
    assert not processes.is_dead("")
