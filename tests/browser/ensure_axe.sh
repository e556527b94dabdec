#!/bin/sh
# axe-core, pinned, into build/axe; without npm a loud line says that it is left out.
set -e
if ! command -v npm >/dev/null 2>&1; then
  echo "!!! SKIPPED: npm is not installed, so no page is checked by axe-core. Install Node.js 18 or newer." >&2
  exit 0
fi
mkdir -p build/axe
cp tests/browser/axe/package.json tests/browser/axe/package-lock.json build/axe/
if ! npm ci --prefix build/axe --silent --no-audit --no-fund; then
  echo "!!! SKIPPED: npm could not install axe-core, so no page is checked by it." >&2
fi
