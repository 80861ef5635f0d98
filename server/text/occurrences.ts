/**
 * Where `wanted` stands in `all`, overlapping places included, at most `limit` of them. It takes time in proportion to
 * both lengths whatever they hold (Knuth, Morris and Pratt's search); `String.indexOf` does not.
 *
 * @param all characters as UTF-16 code units, or lines as numbers that are equal where the lines are
 * @param options `from`: the first place that counts (0); `limit`: how many places are enough (all)
 */
export function occurrences(
  all: ArrayLike<number>,
  wanted: ArrayLike<number>,
  { from = 0, limit = Number.POSITIVE_INFINITY }: { from?: number; limit?: number } = {},
): number[] {
  const found: number[] = []
  const size = wanted.length
  if (size === 0 || size > all.length - from) return found
  const borders = bordersOf(wanted)
  let matched = 0
  for (let at = from; at < all.length; at++) {
    while (matched > 0 && all[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (all[at] === wanted[matched]) matched++
    if (matched < size) continue
    found.push(at - size + 1)
    if (found.length >= limit) return found
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** For each beginning of `wanted`, how much of it is also its end, short of the whole. */
function bordersOf(wanted: ArrayLike<number>): Int32Array {
  const borders = new Int32Array(wanted.length)
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (wanted[at] === wanted[matched]) matched++
    borders[at] = matched
  }
  return borders
}

/** A text as the code units that `occurrences` searches. */
export function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}
