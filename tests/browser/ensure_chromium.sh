#!/bin/sh
# Make a Chromium available to the browser tests; where that is not possible, say so loudly and go on.
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) >/dev/null 2>&1 && exit 0
fi
"$1/playwright" install chromium >/dev/null 2>&1 && exit 0
echo "!!! NO CHROMIUM: it could not be installed (that may need root). THE BROWSER TESTS WILL BE SKIPPED. !!!" >&2
