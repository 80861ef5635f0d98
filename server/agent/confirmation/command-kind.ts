import { type AndOr, type Command, type PipelineNode, parse, type Redirection, type Word } from 'unbash'
import { BOUNDS } from '../../domain/bounds.ts'
import { isDeep } from '../../text/command-nesting.ts'

/** Programs whose name alone says what they do: they read, check, test or make folders. */
const ONE_WORD = new Set(
  'ls cat head tail wc grep egrep fgrep rg tree stat file du df diff pwd echo which ps date jq mkdir touch pytest mypy ruff eslint prettier biome tsc vitest jest mocha flake8 pylint black isort rubocop rspec phpunit shellcheck ctest ninja'.split(
    ' ',
  ),
)
/** Programs whose first argument says what they do. */
const TWO_WORDS = new Set(
  'git npm yarn pnpm cargo go make npx bunx dotnet mvn gradle gradlew rake mix composer tox nox pip pip3 apt-get apt brew'.split(
    ' ',
  ),
)
/** And where that only says that the next one does. */
const THREE_WORDS = /^((npm|yarn|pnpm) (run|exec|dlx)|(poetry|uv|pdm|hatch) run|bundle exec|python3? -m)$/

/** They show a part of what goes through them, and are left out of a kind beside others. */
const FILTERS = /^(head|tail|wc|grep|cat)$/

const PLAIN = /^[\w@%+:,./=-]+$/

/**
 * What a command does in words that a person can allow for good: `npm test`, `cd app` and `git add`. Null when that
 * cannot be said, and only the very same command is of its kind: anything that is expanded, assigned, written to a
 * file, run in the background or inside another program, an interpreter, or a program that is not known here.
 */
export function prefixesOf(command: string): string[] | null {
  if (command.length > BOUNDS.checkedCommand.limit || isDeep(command)) return null
  const script = parse(command)
  if (script.errors?.length || script.commands.length === 0) return null
  const found: string[] = []
  for (const { command: node, background } of script.commands) {
    const prefixes = background ? null : prefixesOfNode(node)
    if (!prefixes) return null
    found.push(...prefixes)
  }
  const telling = found.filter(prefix => !FILTERS.test(prefix))
  return [...new Set(telling.length > 0 ? telling : found)].sort()
}

function prefixesOfNode(node: PipelineNode | AndOr): string[] | null {
  if (node.type === 'Command') {
    const prefix = prefixOf(node)
    return prefix === null ? null : [prefix]
  }
  if (node.type !== 'AndOr' && node.type !== 'Pipeline') return null
  const found: string[] = []
  for (const each of node.commands) {
    const prefixes = prefixesOfNode(each)
    if (!prefixes) return null
    found.push(...prefixes)
  }
  return found
}

function prefixOf({ name, prefix, args, redirects }: Command): string | null {
  if (!name || prefix.length > 0 || !redirects.every(isSilent)) return null
  const words: string[] = []
  for (const arg of [name, ...args]) {
    if (arg.type !== 'Word' || !isLiteral(arg)) return null
    words.push(arg.value)
  }
  const [program = '', first = ''] = words
  if (program === 'cd') return words.length === 2 && PLAIN.test(first) ? `cd ${first}` : null
  if (ONE_WORD.has(program)) return program
  const own = program.startsWith('./') && PLAIN.test(program) && !program.includes('..')
  if (own) return program
  return subcommandOf(words)
}

/** A last word that takes code or another command: it says nothing of what will run. */
const OPEN_ENDED =
  /^(node|tsx|ts-node|bun|deno|python[\d.]*|ruby|perl|php|lua|sh|bash|zsh|dash|env|sudo|concurrently|nodemon|cross-env|dotenv|timeit|code|pdb|cProfile|runpy|exec|x|dlx|config|set|init|create|bisect|rebase|submodule|difftool|mergetool|filter-branch|remote|credential|watch)$/

function subcommandOf(words: readonly string[]): string | null {
  const [program = '', first = '', second = ''] = words
  if (THREE_WORDS.test(`${program} ${first}`))
    return isName(second) && !OPEN_ENDED.test(second) ? `${program} ${first} ${second}` : null
  if (!TWO_WORDS.has(program) || !isName(first) || OPEN_ENDED.test(first)) return null
  if (program === 'go' && first === 'run') return null
  // A rule or a variable of the command line decides what `make` runs.
  if (program === 'make' && words.slice(1).some(word => !isName(word))) return null
  return `${program} ${first}`
}

/** An option before the subcommand may change what it means. */
function isName(word: string): boolean {
  return PLAIN.test(word) && !word.startsWith('-') && !word.includes('=')
}

function isLiteral({ parts }: Word): boolean {
  return (parts ?? []).every(part => {
    if (part.type === 'DoubleQuoted') return part.parts.every(inner => inner.type === 'Literal')
    return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'Glob'
  })
}

/** `2>&1`, `> /dev/null`. */
function isSilent(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect' || !redirection.target || !isLiteral(redirection.target)) return false
  const target = redirection.target.value
  return redirection.operator === '>&'
    ? /^[12]$/.test(target)
    : /^(>|&>)$/.test(redirection.operator) && target === '/dev/null'
}
