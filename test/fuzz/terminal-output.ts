/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

/** Those that move or erase text come more often. */
const FINALS = `${'@JKLMPSTXbr'.repeat(4)}ABCDEFGHIZ\`acdefghilmnpqstuvwxyz{|}~`
const NUMBERS = [0, 1, 2, 3, 7, 25, 47, 49, 50, 51, 255, 256, 257, 1000, 1047, 1048, 1049, 9999, 65_536, 2_147_483_647]
const CONTROLS =
  '\0\x07\b\t\n\v\f\r\x0e\x0f\x18\x1a\x1b\x7f\u0084\u0085\u0088\u008d\u0090\u0098\u009b\u009c\u009d\u009e\u009f'
const CHARACTERS = [
  'a',
  'Z',
  ' ',
  'ä',
  '漢',
  '🎉',
  '\u0301',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\ufdd0',
  '\u{e0100}',
  '\ufeff',
  '\uffff',
  '\u00ad',
]
const NESTED = [
  '\x1b]8;;http://example.org\x07link\x1b]8;;\x07',
  '\x1b]0;title\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1b_Ga=T;AAAA\x1b\\',
  '\x1b^x\x1b\\',
  '\x1bXy\u009c',
]

/** Output of up to some 8 kB that mixes text, bytes of every kind, and control sequences, known and malformed. */
export function hostileOutput(random: Random): Buffer {
  const pieces = Array.from({ length: 1 + Math.floor(random() ** 5 * 400) }, () => piece(random))
  return Buffer.concat(pieces)
}

function piece(random: Random): Buffer {
  const kind = Math.floor(random() * 13)
  if (kind === 0) return Buffer.from(Array.from({ length: count(random, 40) }, () => Math.floor(random() * 256)))
  if (kind === 1) return Buffer.from(pick(random, [...CONTROLS]))
  if (kind === 2) return Buffer.from(pick(random, CHARACTERS).repeat(count(random, 300)))
  if (kind === 3) return Buffer.from('\r\n'.repeat(count(random, 60)))
  if (kind === 4) return Buffer.from(pick(random, NESTED))
  if (kind === 5) return Buffer.from(`\x1b${pick(random, [...' #%()*+-./'])}${pick(random, [...'08@AGBc<='])}`)
  if (kind === 6) return Buffer.from(`\x1b${pick(random, [...'78=>DEHMNOPVWXZ[\\]^_cno|}~'])}`)
  if (kind === 7) return Buffer.from(words(random))
  if (kind === 8) return Buffer.from(atEdge(random) + controlSequence(random))
  return Buffer.from(controlSequence(random))
}

function controlSequence(random: Random): string {
  const opening = random() < 0.9 ? '\x1b[' : '\u009b'
  const prefix = random() < 0.25 ? pick(random, [...'?>=<']) : ''
  const params = Array.from({ length: random() < 0.02 ? 500 : Math.floor(random() * 4) }, () =>
    pick(random, random() < 0.4 ? [0, 1, 2] : NUMBERS),
  )
  const between = random() < 0.1 ? pick(random, [...' !"#$\'*', '\r', '\n', '\t', ';;;', ':']) : ''
  const sequence = `${opening}${prefix}${params.join(random() < 0.9 ? ';' : ':')}${between}${pick(random, [...FINALS])}`
  return sequence.repeat(random() < 0.1 ? count(random, 60) : 1)
}

/** The cursor at an edge of the screen, often with the line full, where emulators fail. */
function atEdge(random: Random): string {
  const place = `\x1b[${pick(random, [1, 2, 49, 50])};${pick(random, [1, 2, 255, 256])}H`
  return place + pick(random, ['', 'a', '漢', '\u0301'])
}

function words(random: Random): string {
  return Array.from({ length: count(random, 30) }, () =>
    pick(random, ['word', 'x', 'tab\t', '漢字 ', 'line\r\n', 'e\u0301']),
  ).join(' ')
}

function count(random: Random, most: number): number {
  return 1 + Math.floor(random() ** 2 * most)
}

function pick<T>(random: Random, list: readonly [T, ...T[]] | readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}
