import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import { modelContent } from '../../../server/event/model-text.ts'
import { createMask } from '../../../server/secret/mask/mask.ts'
import { createTerminal } from '../../../server/tools/terminal.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'
import { startTestSandbox, type TestSandbox } from '../../parts/engine/sandbox.ts'
import { TIMING } from './steps.ts'

const SECRET = 'sk-very-secret-value-of-this-test'
const [START, END] = [SECRET.slice(0, 12), SECRET.slice(12)]
const BASE64 = Buffer.from(SECRET).toString('base64')
const KEY = `-----BEGIN KEY-----\nfirst\nsecond\n-----END KEY-----`
/** As it is and as base64, in two halves with a wait between them. */
const HALVES = [
  { form: 'as it is', first: START, second: END },
  { form: 'as base64', first: BASE64.slice(0, 20), second: BASE64.slice(20) },
]

describe('a secret that is printed in two halves', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  test.each(HALVES)('$form is not shown while the command goes on', async ({ first, second }) => {
    const { tails, outputs } = await run([
      `echo begun; printf '${first.slice(0, 6)}'; printf '${first.slice(6)}'; sleep 0.6; echo '${second} and more'; sleep 0.5`,
    ])
    expect(tails.length).toBeGreaterThan(1)
    for (const tail of tails) expect(tail).not.toMatch(new RegExp(`${first.slice(0, 4)}`))
    expect(tails[0]).toBe('begun')
    expect(outputs).toEqual([`begun\n${HIDDEN} and more`])
  })

  test.each(HALVES)(
    '$form is not shown when the wait ends between them, and is hidden as a whole then',
    async ({ first, second }) => {
      const { outputs } = await run([
        { command: `printf 'key: ${first}'; sleep 1; echo '${second}, done'`, timeout: 0.3 },
        { command: '', timeout: 10 },
      ])
      expect(outputs).toEqual(['key:', `${HIDDEN}, done`])
    },
  )

  test('is shown to the end when it is none after all', async () => {
    const { outputs } = await run([
      { command: `printf 'key: ${START}'; sleep 0.8; echo ' is no secret'`, timeout: 0.3 },
      { command: '', timeout: 10 },
    ])
    expect(outputs).toEqual(['key:', `${START} is no secret`])
  })

  test('leaves words alone that end as a secret begins', async () => {
    const { tails, outputs } = await run([
      { command: `printf 'disk'; sleep 1; echo ' is full'`, timeout: 0.5 },
      { command: '', timeout: 10 },
      { command: `printf 'sk'; sleep 1; echo '${SECRET.slice(2)}, done'`, timeout: 0.5 },
      { command: '', timeout: 10 },
    ])
    expect(outputs).toEqual(['disk', ' is full', 'sk', `${HIDDEN}, done`])
    expect(tails[0]).toBe('disk')
  })

  test('is shown to the end when the command ends there', async () => {
    const { outputs } = await run([`printf 'key: ${START}'`])
    expect(outputs).toEqual([`key: ${START}`])
  })

  test('of several lines is hidden as a whole', async () => {
    const { tails, outputs } = await run([
      {
        command: `printf 'a\\n-----BEGIN KEY-----\\nfirst\\n'; sleep 0.8; printf 'second\\n-----END KEY-----\\nb\\n'`,
        timeout: 0.3,
      },
      { command: '', timeout: 10 },
    ])
    expect(outputs).toEqual(['a', `${HIDDEN}\nb`])
    expect(tails.join('\n')).not.toMatch(/first|second/)
  })

  test('is not shown in the words about a refused command or in its name', async () => {
    const { told } = await run([
      { command: 'sleep 5', timeout: 0.1 },
      { command: `echo ${SECRET}`, timeout: 0.1 },
    ])
    expect(told[1]).toContain(`Your command "echo ${HIDDEN}" is NOT executed`)
    expect(told.join()).not.toContain(SECRET)
  })

  async function run(commands: (string | { command: string; timeout: number })[]) {
    const mask = createMask([SECRET, KEY])
    const host: ToolHost = { sandbox: async () => sandbox.handle, mask: mask.mask, maskGrowing: mask.growing }
    const terminal = createTerminal(host, TIMING)
    const tails: string[] = []
    const told: string[] = []
    const outputs: string[] = []
    try {
      for (const command of commands) {
        const given = typeof command === 'string' ? { command, timeout: 20 } : command
        const context = { signal: AbortSignal.timeout(20_000), onOutput: (tail: string) => tails.push(tail) }
        const observation = await terminal.run(terminal.toAction(given), context)
        told.push(
          JSON.stringify(observation) +
            modelContent(observation)
              .map(part => (part.type === 'text' ? part.text : ''))
              .join('\n'),
        )
        outputs.push(observation.content.map(part => (part.type === 'text' ? part.text : '')).join('\n'))
      }
    } finally {
      await terminal.close()
    }
    return { tails, told, outputs }
  }
})
