"""The floor of a server: a bare Starlette application under uvicorn that sends back what it is sent."""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

LOOPBACK = "127.0.0.1"


async def _echo(request: Request) -> Response:
    return Response(await request.body(), media_type="application/json")


def start() -> None:
    """Serve on a free port of this machine until it is ended; the address is told on stderr."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind((LOOPBACK, 0))
    listener.listen(128)
    print(f"echo on http://{LOOPBACK}:{listener.getsockname()[1]}/", file=sys.stderr, flush=True)
    app = Starlette(routes=[Route("/{path:path}", _echo, methods=["POST"])])
    config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    start()
