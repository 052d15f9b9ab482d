"""What ``make demo`` says where it can't begin; that it serves the demo is proved by those who use it."""

from __future__ import annotations

import socket

import pytest

from scripts import demo


def test_where_the_port_is_taken_the_demo_names_the_command_for_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    """And builds nothing before."""
    with socket.create_server(("127.0.0.1", 0)) as listens:
        port = listens.getsockname()[1]
        assert demo.main([str(port)]) == 1
        assert demo.main([f"127.0.0.1:{port}"]) == 1
    said = capsys.readouterr()
    assert (said.out + said.err).count(f"Something listens on 127.0.0.1:{port} already. Another port: make demo at=8001") == 2
