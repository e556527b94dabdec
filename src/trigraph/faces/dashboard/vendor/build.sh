#!/bin/sh
# Makes static/drawing.min.js from the packages that package-lock.json names, and writes what it is made of to
# manifest.json. Needs Node and a registry; whoever uses trigraph needs neither, because both files are kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$here/drawing.js" "$here/manifest.mjs" "$work"
cd "$work"
npm ci --no-audit --no-fund
npx --no-install esbuild drawing.js --bundle --minify --format=esm --target=es2022 --charset=utf8 \
  --legal-comments=none --outfile=drawing.min.js
node manifest.mjs > manifest.json
for one in events graphology graphology-layout-forceatlas2 graphology-utils sigma; do
  printf '== %s\n\n' "$one"
  cat "node_modules/$one"/LICENSE*
  printf '\n'
done > "$here/drawing.LICENSE"
cp drawing.min.js "$here/../static/drawing.min.js"
cp manifest.json "$here/manifest.json"
