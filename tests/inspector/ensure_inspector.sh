#!/bin/sh
# The MCP inspector's command, pinned, into build/inspector; without npm a loud line says that it is left out.
set -e
if ! command -v npm >/dev/null 2>&1; then
  echo "!!! SKIPPED: npm is not installed, so tests/faces/mcp/test_inspector.py is not run. Install Node.js 18 or newer." >&2
  exit 0
fi
mkdir -p build/inspector
cp tests/inspector/package.json tests/inspector/package-lock.json build/inspector/
if ! npm ci --prefix build/inspector --silent --no-audit --no-fund; then
  echo "!!! SKIPPED: npm could not install the MCP inspector, so tests/faces/mcp/test_inspector.py is not run." >&2
fi
