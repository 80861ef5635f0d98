import { HOLE } from '../holes.ts'
import { isSecret } from '../paths.ts'
import type { Desk } from './desk.ts'

/** What a file holds: what these commands wrote there, else where its contents come from. */
export function contentOf(desk: Desk, path: string): string {
  const place = desk.place(path)
  const written = desk.scope.written.get(place.path)
  if (written !== undefined) return written
  if (/^\/dev\/(null|zero|tty|u?random)$/.test(place.path)) return ''
  return isSecret(place) ? HOLE.secret : HOLE.file
}
