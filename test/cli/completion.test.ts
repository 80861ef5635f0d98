import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXIT } from '../../server/cli/exit-codes.ts'
import { createProgram } from '../../server/cli/program.ts'
import { command } from '../parts/command-line.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-completion-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scriptFor(shell: string): Promise<string> {
  const file = join(folder, shell)
  writeFileSync(file, (await command(['completion', shell])).stdout)
  return file
}

test.each([
  [['atelier', 'sa'], ['sandboxes']],
  [['atelier', 'sandboxes', 're'], ['resume']],
  [
    ['atelier', '--json', 'run', '--fol'],
    ['--folder', '--follow'],
  ],
  [
    ['atelier', 'run', '--confirm', 'a'],
    ['ask', 'accept'],
  ],
  [
    ['atelier', 'settings', ''],
    ['get', 'set', '--help'],
  ],
])('bash completes %j', async (words, expected) => {
  const file = await scriptFor('bash')
  const program = `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _atelier; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
  expect(out.trim().split('\n')).toEqual(expected)
})

const CASES = [
  ['atelier sa', ['sandboxes']],
  ['atelier sandboxes re', ['resume']],
  ['atelier --json run --fol', ['--folder', '--follow']],
  ['atelier run --confirm a', ['ask', 'accept']],
  ['atelier settings ', ['get', 'set']],
] as const

/** Stands for zsh's own functions, which want a terminal. */
const ZSH = `compdef() { : }
_describe() { print -rl -- \${(P)2} }
compadd() { print -rl -- $@ }
source $1; words=(\${(s: :)2}); [[ $2 == *' ' ]] && words+=(''); CURRENT=$#words; _atelier`

const IN_SHELL = {
  zsh: (file: string, line: string) => ['-fc', ZSH, 'zsh', file, line],
  fish: (file: string, line: string) => ['-c', `source ${file}; complete -C "${line}"`],
}

describe.each(['zsh', 'fish'] as const)('%s', shell => {
  test('gets every command', async () => {
    const text = readFileSync(await scriptFor(shell), 'utf8')
    for (const name of ['run', 'attach', 'sandboxes exec', 'settings set', 'completion']) expect(text).toContain(name)
  })

  test.skipIf(spawnSync(shell, ['-c', 'true']).status !== 0).each(CASES)('completes %s', async (line, expected) => {
    const out = execFileSync(shell, IN_SHELL[shell](await scriptFor(shell), line), { encoding: 'utf8' })
    const last = line.split(' ').at(-1) ?? ''
    const names = out.split('\n').map(found => found.split(/[:\t]/)[0] ?? '')
    const isShown = (name: string) => name !== '' && name.startsWith(last) && !(last === '' && name.startsWith('--'))
    // Each shell has an order of its own.
    expect(names.filter(isShown).sort()).toEqual([...expected].sort())
  })
})

test('the page about the command line names every command, option of all commands and exit code', async () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'cli.md'), 'utf8')
  const program = createProgram('0', async () => {})
  for (const { name } of program.commands.map(child => ({ name: child.name() }))) expect(page).toContain(`\`${name}`)
  for (const { long } of program.options) if (long !== '--version') expect(page).toContain(`\`${long}\``)
  const codes = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(codes).toEqual(Object.values(EXIT))
})
