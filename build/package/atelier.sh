#!/bin/sh
# The app without words, its command line with them.
program=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")/atelier
[ $# -gt 0 ] || exec "$program"
sandbox=
# As root Chromium runs without its sandbox or not at all. There is no window, so no page runs in it.
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
exec "$program" $sandbox --ozone-platform=headless --disable-gpu --log-level=3 --command -- "$@"
