import { posix } from 'node:path'
import { prepare, single } from 'fuzzysort'
import { filterInSlices } from '../../async/in-slices.ts'

const MAX_SORTED = 10_000

/**
 * The paths that have all words of the text, without regard to case, those with the shortest name first. Where none has, those
 * that have its letters in their order, as `Composer.tsx` has those of `cmpsr`: those that have them in the name, then the others,
 * each the best first.
 * @returns at most 10,000; `partial` where the time was over before all were looked at
 * @throws the signal's reason; paths after `deadline` (as `performance.now()`) are left out
 */
export async function matchingPaths(
  paths: readonly string[],
  text: string,
  limits: { signal: AbortSignal; deadline: number },
): Promise<{ paths: string[]; partial: boolean }> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (path: string) => words.every(word => path.toLowerCase().includes(word))
  const exact = await filterInSlices(paths, hasAll, limits)
  if (exact.passed.length > 0 || exact.partial)
    return { paths: exact.passed.slice(0, MAX_SORTED).sort(byName), partial: exact.partial }
  const scores = new Map<string, number>()
  const resembles = (path: string) => {
    const inName = scoreOf(text, posix.basename(path))
    const score = inName > 0 ? 1 + inName : scoreOf(text, path)
    if (score > 0) scores.set(path, score)
    return score > 0
  }
  const similar = await filterInSlices(paths, resembles, limits)
  const byScore = (a: string, b: string) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || byName(a, b)
  return { paths: similar.passed.slice(0, MAX_SORTED).sort(byScore), partial: similar.partial }
}

/** From 0, no match, to 1. What the library prepares by itself it keeps for good. */
function scoreOf(text: string, target: string): number {
  return single(text, prepare(target))?.score ?? 0
}

function byName(a: string, b: string): number {
  return posix.basename(a).length - posix.basename(b).length || (a < b ? -1 : 1)
}
