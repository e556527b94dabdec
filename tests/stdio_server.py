"""A tiny MCP server over stdio, that can also misbehave: `python stdio_server.py [how]`.

It keeps a line in the file named by the second argument once it was told to end by a closed input.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

TOOLS = ["recall", "remember"]


def main() -> None:
    how = sys.argv[1] if len(sys.argv) > 1 else "good"
    if how == "ends":
        sys.exit("no such store\nthe fix: make one")
    for line in sys.stdin:
        message = json.loads(line)
        if how == "silent":
            continue
        if how == "babbles":
            print("Welcome!", flush=True)
        if how == "notifies":
            print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}), flush=True)
            print(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "method": "ping"}), flush=True)
        if "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **_answer(message["method"], how)}), flush=True)
    if how == "stays":
        time.sleep(60)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text("ended\n", encoding="utf-8")


def _answer(method: str, how: str) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "tiny", "version": "7"}
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}}
    if method == "tools/list" and how != "without tools":
        return {"result": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}}
    return {"error": {"code": -32601, "message": f"{method} is not here"}}


if __name__ == "__main__":
    main()
