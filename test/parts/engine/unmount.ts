import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Takes off what is mounted under a folder, the innermost first: an engine that was killed leaves it. */
export function unmountUnder(folder: string): void {
  const places = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[1] ?? '')
    .filter(place => place.startsWith(`${folder}/`))
  for (const place of places.sort().reverse()) execFileSync('umount', [place])
}
