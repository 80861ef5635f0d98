import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import { randomToken } from '../../../server/domain/ids.ts'
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

interface Given {
  command: string
  timeout: number
  /** What is run beside the terminal first. */
  before?: string
}

const sh = (script: string) => ['/bin/sh', '-c', script]

/** A command that waits, and the one that ends its wait. */
function newGate(): { wait: string; open: string } {
  const file = `/tmp/gate-${randomToken(6)}`
  return { wait: `until [ -e ${file} ]; do sleep 0.05; done`, open: `touch ${file}` }
}

describe('a secret that is printed in two halves', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  test.each(HALVES)('$form is not shown while the command goes on', async ({ first, second }) => {
    const [gate, end] = [newGate(), newGate()]
    // Long after the first half has arrived.
    const openGate = `sleep 0.6; ${gate.open}`
    const { tails, outputs } = await run(
      [
        `echo begun; printf '${first.slice(0, 6)}'; printf '${first.slice(6)}'; ${gate.wait}; echo '${second} and more'; ${end.wait}`,
      ],
      tail => void sandbox.handle.exec({ argv: sh(tail.includes('and more') ? end.open : openGate) }),
    )
    expect(tails.length).toBeGreaterThan(1)
    for (const tail of tails) expect(tail).not.toMatch(new RegExp(`${first.slice(0, 4)}`))
    expect(tails[0]).toBe('begun')
    expect(outputs).toEqual([`begun\n${HIDDEN} and more`])
  })

  test.each(HALVES)(
    '$form is not shown when the wait ends between them, and is hidden as a whole then',
    async ({ first, second }) => {
      const gate = newGate()
      const { outputs } = await run([
        { command: `printf 'key: ${first}'; ${gate.wait}; echo '${second}, done'`, timeout: 1 },
        { command: '', timeout: 20, before: gate.open },
      ])
      expect(outputs).toEqual(['key:', `${HIDDEN}, done`])
    },
  )

  test('is shown to the end when it is none after all', async () => {
    const gate = newGate()
    const { outputs } = await run([
      { command: `printf 'key: ${START}'; ${gate.wait}; echo ' is no secret'`, timeout: 1 },
      { command: '', timeout: 20, before: gate.open },
    ])
    expect(outputs).toEqual(['key:', `${START} is no secret`])
  })

  test('leaves words alone that end as a secret begins', async () => {
    const [one, other] = [newGate(), newGate()]
    const { tails, outputs } = await run([
      { command: `printf 'disk'; ${one.wait}; echo ' is full'`, timeout: 1 },
      { command: '', timeout: 20, before: one.open },
      { command: `printf 'sk'; ${other.wait}; echo '${SECRET.slice(2)}, done'`, timeout: 1 },
      { command: '', timeout: 20, before: other.open },
    ])
    expect(outputs).toEqual(['disk', ' is full', 'sk', `${HIDDEN}, done`])
    expect(tails[0]).toBe('disk')
  })

  test('is shown to the end when the command ends there', async () => {
    const { outputs } = await run([`printf 'key: ${START}'`])
    expect(outputs).toEqual([`key: ${START}`])
  })

  test('of several lines is hidden as a whole', async () => {
    const gate = newGate()
    const { tails, outputs } = await run([
      {
        command: `printf 'a\\n-----BEGIN KEY-----\\nfirst\\n'; ${gate.wait}; printf 'second\\n-----END KEY-----\\nb\\n'`,
        timeout: 1,
      },
      { command: '', timeout: 20, before: gate.open },
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

  /** @param onTail is called with each tail that is shown while a command runs */
  async function run(commands: (string | Given)[], onTail: (tail: string) => void = () => {}) {
    const mask = createMask([SECRET, KEY])
    const host: ToolHost = { sandbox: async () => sandbox.handle, mask: mask.mask, maskGrowing: mask.growing }
    const terminal = createTerminal(host, TIMING)
    const tails: string[] = []
    const told: string[] = []
    const outputs: string[] = []
    try {
      for (const command of commands) {
        const { before, ...given } = typeof command === 'string' ? { command, timeout: 60 } : command
        if (before) await sandbox.handle.exec({ argv: sh(before) })
        const onOutput = (tail: string) => {
          tails.push(tail)
          onTail(tail)
        }
        const context = { signal: AbortSignal.timeout(80_000), onOutput }
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
