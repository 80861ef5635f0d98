import { expect } from 'vitest'
import { EVERYWHERE } from '../../../server/api/v1/sandbox/cluster.ts'
import { modelContent } from '../../../server/event/model-text.ts'
import { createTerminal } from '../../../server/tools/terminal.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { defaultImage } from '../../parts/engine/sandbox.ts'

const MB = 2 ** 20
const TOO_MUCH = `python3 -c 'bytearray(${400 * MB})'`
const SAID = 'The sandbox ran out of memory (its limit is 200 MB), and the kernel ended a process in it.'

const it = base.extend('sandbox', { scope: 'file' }, async ({ parts }) => {
  const spec = await parts.specs.create({
    title: 'Small',
    image: defaultImage(),
    initial_env: {},
    limits: { memory_bytes: 200 * MB, cpus: null, pids: null, disk_bytes: null },
    network: 'none',
    allowlist: { presets: [], hosts: [] },
    runtime: null,
    mounts: [],
    engine_id: null,
    caches: [],
    cluster: EVERYWHERE,
  })
  return parts.sandboxes.open((await parts.sandboxes.start(spec.id)).id)
})

const sh = (script: string) => ['/bin/sh', '-c', script]

it('the agent reads once why its command was killed, also where a shell hides the exit code', async ({ sandbox }) => {
  const terminal = createTerminal({ sandbox: async () => sandbox, mask: text => text })
  const run = async (command: string) => {
    const action = terminal.toAction({ command, is_input: false, reset: false })
    const observation = await terminal.run(action, { signal: AbortSignal.timeout(60_000), onOutput: () => {} })
    return JSON.stringify(modelContent(observation))
  }
  try {
    expect(await run('true')).not.toContain('memory')
    expect(await run(TOO_MUCH)).toMatch(new RegExp(`exit code 137\\.\\]\\\\n\\[${escaped(SAID)} Use less, for example`))
    expect(await run('false')).not.toContain('memory')
    expect(await run(`{ ${TOO_MUCH}; } || (exit 2)`)).toContain(SAID)
    expect(await run("sh -c 'kill -9 $$'")).not.toContain('memory')
  } finally {
    await terminal.close()
  }
})

it('a command of a repository or a person ends with the reason, and the sandbox says it too', async ({
  parts,
  sandbox,
}) => {
  const seen: string[] = []
  const result = await sandbox.exec({
    argv: sh(`echo begun >&2; ${TOO_MUCH}; exit 3`),
    isForeign: true,
    onOutput: (text, from) => seen.push(`${from}: ${text}`),
  })
  expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(`${escaped(SAID)} Use less.*\n$`) })
  expect(seen.at(-1)).toMatch(`stderr: ${SAID}`)
  const { status, status_detail } = await parts.sandboxes.get(sandbox.id)
  expect([status, status_detail]).toEqual([
    'RUNNING',
    expect.stringMatching(`^${escaped(SAID)} New sandboxes get more`),
  ])
  const killed = await sandbox.exec({ argv: sh('kill -9 $$'), isForeign: true })
  expect(killed).toMatchObject({ exitCode: 137, stderr: '' })
})

it('a command of ours that is killed says why as well', async ({ sandbox }) => {
  expect((await sandbox.exec({ argv: sh(`exec ${TOO_MUCH}`) })).stderr).toContain(SAID)
})

function escaped(text: string): string {
  return text.replace(/[().]/g, '\\$&')
}
