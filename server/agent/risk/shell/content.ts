import { isSecret } from '../paths.ts'
import { TAINT } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'

/** What a file holds: what these commands wrote there, else where its contents come from. */
export function contentOf(analysis: ShellAnalysis, path: string): string {
  const place = analysis.classify(path)
  const written = analysis.scope.written.get(place.path)
  if (written !== undefined) return written
  if (/^\/dev\/(null|zero|tty|u?random)$/.test(place.path)) return ''
  return isSecret(place) ? TAINT.secret : TAINT.file
}
