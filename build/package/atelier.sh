#!/bin/sh
# The app without words or with a folder or a link to begin with, its command line with any other words. A desktop gives folders as
# absolute paths or as addresses.
program=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")/atelier
[ $# -gt 0 ] || exec "$program"
case $1 in --folder | --folder=* | /* | file:* | atelier:*) exec "$program" "$@" ;; esac
sandbox=
# As root Chromium runs without its sandbox or not at all. There is no window, so no page runs in it.
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
exec "$program" $sandbox --ozone-platform=headless --disable-gpu --log-level=3 --command -- "$@"
