import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { it as base } from '../fixtures/service.ts'

const test = base
  .extend('folder', { scope: 'file' }, ({}) => mkdtempSync(join(tmpdir(), 'atelier-examples-')))
  /** Runs the example as its reader would, with the built client. */
  .extend('run', { scope: 'file' }, ({ service }) => async (name: string, ...args: string[]): Promise<string> => {
    seen.add(name)
    const env = { ...process.env, ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key }
    const { stdout } = await promisify(execFile)(process.execPath, [join(DOCS, 'examples', name), ...args], { env })
    return stdout
  })

const DOCS = join(import.meta.dirname, '..', '..', 'docs')
const EXAMPLES = readdirSync(join(DOCS, 'examples'))

test.afterAll(({ folder }) => {
  rmSync(folder, { recursive: true, force: true })
})
const seen = new Set<string>()
const terminal = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

test('a task is run, and its events are followed', async ({ model, run, service }) => {
  model.setScript([terminal('echo drip > rain.txt'), { text: 'It rains.' }])
  expect(await run('run-a-task.mjs')).toBe('finished It rains.\nADDED rain.txt\n')
  const { items } = await service.client.call(
    (await import('../../server/api/v1/conversation/conversations.ts')).searchAppConversations,
    {},
  )
  const lines = (await run('follow-events.mjs', items[0]?.id ?? '', '1')).trim().split('\n')
  expect(lines[0]).toMatch(/^2 /)
  expect(lines.join()).toContain('ObservationEvent')
})

test('actions that wait are answered', async ({ model, run }) => {
  model.setScript([terminal('ls'), { text: 'Tidy.' }])
  expect(await run('answer-confirmations.mjs')).toMatch(/^LOW .*"command":"ls".*\nfinished\n$/)
})

test('a sandbox is used on its own', async ({ folder, run }) => {
  const copy = join(folder, 'copy.mjs')
  expect(await run('plain-sandbox.mjs', copy)).toBe('0 1 2 3\n')
  expect(readFileSync(copy, 'utf8')).toBe(readFileSync(join(DOCS, 'examples', 'plain-sandbox.mjs'), 'utf8'))
})

test('errors are told apart', async ({ run }) => {
  expect(await run('handle-errors.mjs')).toMatch(/^404: .+ List what there is and check the id\.\n$/)
})

test('every example was run, and is shown as it is', () => {
  expect([...seen].sort()).toEqual([...EXAMPLES].sort())
  const page = readFileSync(join(DOCS, 'sdk.md'), 'utf8')
  for (const name of EXAMPLES) {
    const code = readFileSync(join(DOCS, 'examples', name), 'utf8')
    expect(page).toContain(`<!-- examples/${name} -->\n\`\`\`js\n${code}\`\`\`\n`)
  }
})
