/**
 * Whether a shell pattern may stand for a name. `*` and `?` never match a slash; a bracket stands for any one
 * character. Linear in both lengths for each star, never exponential.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  const symbols = pattern.replace(/\[[^\]/]*\]/g, '?')
  let reach = new Set([0])
  for (const symbol of symbols) {
    const next = new Set<number>()
    for (const at of reach) for (const end of endsOf(symbol, name, at)) next.add(end)
    reach = next
    if (reach.size === 0) return false
  }
  return reach.has(name.length)
}

function endsOf(symbol: string, name: string, at: number): number[] {
  const char = name[at]
  if (symbol === '?') return char !== undefined && char !== '/' ? [at + 1] : []
  if (symbol !== '*') return char === symbol ? [at + 1] : []
  const ends = [at]
  for (let end = at; end < name.length && name[end] !== '/'; end++) ends.push(end + 1)
  return ends
}
