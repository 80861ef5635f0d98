#!/bin/sh
# The app without words or with a folder, a link or another address to begin with, its command line with any other words. A desktop gives
# folders as absolute paths or as addresses.
program=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")/atelier
[ $# -gt 0 ] || exec "$program"
opens=
case $1 in
  --folder | --folder=* | /* | file:* | [Aa][Tt][Ee][Ll][Ii][Ee][Rr]:*) opens=yes ;;
  -*) ;;
  *://*) opens=yes ;;
esac
if [ "$opens" ]; then
  # Chromium sends all of them to the running app, which more than 32 KiB would end. The app refuses this link in their place: it is too long.
  [ "$(printf %s "$*" | wc -c)" -le 24000 ] || set -- "$(printf 'atelier:%024000d' 0)"
  exec "$program" "$@"
fi
sandbox=
# As root Chromium runs without its sandbox or not at all. There is no window, so no page runs in it.
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
exec "$program" $sandbox --ozone-platform=headless --disable-gpu --log-level=3 --command -- "$@"
