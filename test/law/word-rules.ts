import ts from 'typescript'
import type { SourceFile } from './file-rules.ts'

/** Words that nobody knows from the field, and the field's own term for what they meant here. */
export const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  asides: 'auxiliary model: calls of the model outside of the agent loop',
  bearable: 'within the limit',
  desk: 'analysis',
  furnish: 'prepare, provision',
  manner: 'request profile',
  manners: 'request profiles',
  moody: 'unreliable',
  newcomer: 'unauthenticated client',
  newcomers: 'unauthenticated clients',
  proofs: 'signatures',
  shelf: 'library',
  shelves: 'libraries',
  surroundings: 'context',
  wish: 'state, options',
}

/** Prefixes of constants, and the one that every bound has. */
export const BOUND_PREFIXES: Readonly<Record<string, 'MAX_' | 'MIN_'>> = {
  MOST: 'MAX_',
  LONGEST: 'MAX_',
  LARGEST: 'MAX_',
  GREATEST: 'MAX_',
  DEEPEST: 'MAX_',
  LEAST: 'MIN_',
  SHORTEST: 'MIN_',
  SMALLEST: 'MIN_',
}

/** Turns of phrase in comments that a reader has to guess, and what they meant. */
const PRIVATE_PHRASES: Readonly<Record<string, { pattern: RegExp; term: string }>> = {
  told: {
    pattern: /\b(is|are|was|were|be|been|being) (not |never |only )?told\b(?! (apart|otherwise|to end))/,
    term: 'reported, returned, shown, listed',
  },
  'told to nobody': { pattern: /\btold to (nobody|whoever)\b/, term: 'no request finds it; never returned' },
  hole: { pattern: /\bholes?\b/, term: 'gap; taint' },
}

/** @returns each comment of a source with such a phrase, as `path: phrase → term: comment` */
export function privatePhrases(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    commentsIn(text).flatMap(comment =>
      Object.entries(PRIVATE_PHRASES)
        .filter(([, { pattern }]) => pattern.test(comment))
        .map(([phrase, { term }]) => `${path}: ${phrase} → ${term}: ${comment}`),
    ),
  )
}

/** Comments that begin their line or follow code, in one line each; a `//` after a colon belongs to an address. */
function commentsIn(text: string): string[] {
  const found = text.matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)
  return [...found].map(([comment]) => comment.replace(/\s*\n\s*\*? ?/g, ' '))
}

/** @returns each offence as `path: name → term`, once */
export function privateWords(files: readonly SourceFile[]): string[] {
  const found = files.flatMap(({ path, text }) =>
    [...namesIn(path), ...identifiersIn(path, text)].flatMap(name => {
      const term = termFor(name)
      return term === undefined ? [] : [`${path}: ${name} → ${term}`]
    }),
  )
  return [...new Set(found)]
}

function termFor(name: string): string | undefined {
  const prefix = /^([A-Z]+)(_|$)/.exec(name)?.[1]
  if (prefix !== undefined && Object.hasOwn(BOUND_PREFIXES, prefix)) return BOUND_PREFIXES[prefix]
  const word = wordsOf(name).find(each => Object.hasOwn(PRIVATE_WORDS, each))
  return word === undefined ? undefined : PRIVATE_WORDS[word]
}

/** `ServerLog`, `server-log` and `SERVER_LOG` are the words `server` and `log`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}

function namesIn(path: string): string[] {
  return path.split('/').map(part => part.replace(/\..*$/, ''))
}

function identifiersIn(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false))
  return found
}
