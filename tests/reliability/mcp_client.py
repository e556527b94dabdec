"""An MCP client that is killed: starts the command given, tells its process id, opens it, tells that, and waits."""

from __future__ import annotations

import json
import subprocess
import sys

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "killed", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

if __name__ == "__main__":
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    print(server.pid, flush=True)
    opening = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
    server.stdin.write(json.dumps(opening) + "\n")
    server.stdin.flush()
    print("open" if "result" in json.loads(server.stdout.readline()) else "refused", flush=True)
    server.wait()
