#!/bin/sh
# Fetch what the pages take from others: the versions and digests of README.md, through npm. A file that is not the one
# of the table ends it. People who use trigraph need neither this nor npm: what it fetches is kept here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent uplot@1.6.32 >/dev/null
tar -xzf uplot-1.6.32.tgz
cp package/dist/uPlot.iife.min.js "$here/../static/uplot.min.js"
cp package/dist/uPlot.min.css "$here/../static/uplot.min.css"
cp package/LICENSE "$here/uplot.LICENSE"
cd "$here/../static"
sed -n 's/^| uPlot .*| \([a-z.]*\) | `\([0-9a-f]*\)` |$/\2  \1/p' "$here/README.md" | sha256sum --check
