"""A real nginx in front of servers of ``tests.serving``, with the configuration that ``docs/deploy.md`` shows.

It runs from a folder of its own on a free port and needs no root. Limits: no TLS.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence

import urllib3

from tests.serving import free_port

#: Where Debian puts it, which is not on everybody's path.
PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

_CONFIGURATION = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log warn;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream project {{ {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://project;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
            {more}
        }}
    }}
}}
"""


class Nginx:
    """A proxy that answers: what is asked of it goes to these servers in turn. ``more`` are further lines for its location."""

    def __init__(self, ports: Sequence[int], more: str = "") -> None:
        assert PROGRAM is not None
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="deskhand-nginx-"))
        # Its own process may be another account's where it is started by root.
        self._folder.chmod(0o777)
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports)
        path = self._folder / "nginx.conf"
        path.write_text(_CONFIGURATION.format(folder=self._folder, servers=servers, port=self.port, more=more))
        self._process = subprocess.Popen(
            [PROGRAM, "-p", str(self._folder), "-c", str(path), "-e", str(self._folder / "error.log")]
        )
        self._answers()

    def _answers(self) -> None:
        ends = time.monotonic() + 10
        while True:
            try:
                urllib3.request("GET", self.url, retries=False, redirect=False, timeout=5)
                return
            except urllib3.exceptions.HTTPError:
                if time.monotonic() >= ends or self._process.poll() is not None:
                    self.close()
                    raise AssertionError(f"nginx did not start: {self.log}") from None
                time.sleep(0.05)

    @property
    def log(self) -> str:
        """What it complained about."""
        path = self._folder / "error.log"
        return path.read_text() if path.exists() else ""

    def close(self) -> None:
        """It is gone."""
        self._process.terminate()
        self._process.wait(10)
        shutil.rmtree(self._folder, ignore_errors=True)
