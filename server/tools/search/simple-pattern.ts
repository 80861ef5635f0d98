/**
 * Turns a regular expression into patterns of the shell's `case`, for images without any grep. What `case` can say is
 * literal text, `.`, `.*`, `.+`, lists of characters, anchors and alternatives; undefined for everything beyond.
 * Letters match in both cases. The result is shell source: every character of it is either made here or quoted.
 */
export function shellPatterns(source: string): string[] | undefined {
  if (source.length > MAX_LENGTH) return undefined
  const branches: string[] = []
  for (const branch of divide(source)) {
    const pattern = shellPattern(branch)
    if (pattern === undefined) return undefined
    branches.push(pattern)
  }
  return branches
}

/** A shell takes long over longer ones. */
const MAX_LENGTH = 1_000

/** At `|`, which is literal after a backslash and in a list. */
function divide(source: string): string[] {
  return source.match(/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^|\\])+/gs) ?? ['']
}

const PIECE = /\\(.)|(\.\*)|(\.\+)|(\.)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^\\[\](){}*+?|^$.])/suy

const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  w: '[0-9A-Za-z_]',
  s: '[[:space:]]',
  D: '[!0-9]',
  W: '[!0-9A-Za-z_]',
  S: '[![:space:]]',
}

function shellPattern(branch: string): string | undefined {
  const start = branch.startsWith('^')
  const end = branch.endsWith('$') && !branch.endsWith('\\$')
  const body = branch.slice(start ? 1 : 0, end ? -1 : undefined)
  let pattern = start ? '' : '*'
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < body.length) {
    const found = PIECE.exec(body)
    if (!found) return undefined
    const piece = shellPiece(found)
    if (piece === undefined) return undefined
    pattern += piece
  }
  return end ? pattern : `${pattern}*`
}

function shellPiece(found: RegExpExecArray): string | undefined {
  const [, escaped, any, some, one, negation = '', list, literal] = found
  if (escaped !== undefined) return CLASSES[escaped] ?? (/[\p{L}\p{N}]/u.test(escaped) ? undefined : quoted(escaped))
  if (any) return '*'
  if (some) return '?*'
  if (one) return '?'
  if (list !== undefined) return shellList(negation, list)
  return literal === undefined ? undefined : quoted(literal)
}

/** Only letters, digits, `_` and ranges of them: nothing that a shell reads in another way. */
function shellList(negation: string, list: string): string | undefined {
  const plain = list.replaceAll('\\d', '0-9').replaceAll('\\w', '0-9A-Za-z_').replaceAll('\\s', ' ')
  if (!/^(?:[\w ]-[\w ]|[\w ])+$/.test(plain)) return undefined
  const both = `${plain.toLowerCase()}${plain.toUpperCase()}`.replaceAll(' ', '[:space:]')
  return `[${negation ? '!' : ''}${both}]`
}

function quoted(char: string): string {
  const lower = char.toLowerCase()
  const upper = char.toUpperCase()
  if (/^[a-z]$/.test(lower)) return `[${lower}${upper}]`
  return char === "'" ? `"'"` : `'${char}'`
}
