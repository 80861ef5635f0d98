import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { runConversation } from '../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../server/api/v1/conversation/event-routes.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { textOf } from '../../server/event/model-messages.ts'
import { it as base } from '../fixtures/base.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'

const it = base
  // Tests end the service, and put another on its folder in its place.
  .extend('running', { scope: 'file' }, async ({ model }, { onCleanup }) => {
    const running = { service: await startHeadless() }
    onCleanup(async () => {
      const { service } = running
      if (service.process.exitCode === null) await service.end('SIGTERM')
      await removeSandboxesOf(service.dataDir)
      rmSync(service.dataDir, { recursive: true, force: true })
    })
    const body = { llm_model: 'scripted', llm_base_url: model.url.openai }
    await running.service.client.call(storeSettings, { body })
    return running
  })

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const finish = call('finish', { message: 'Done.' })

/** Every conversation's events in order, whole, and each call answered exactly once. */
async function expectWholeLog(service: Headless, id: string): Promise<void> {
  const { items } = await service.client.call(searchConversationEvents, { params: { conversation_id: id } })
  expect(items.map(event => event.seq)).toEqual([...Array(items.length).keys()])
  for (const event of items) {
    if (event.kind !== 'ActionEvent') continue
    const answers = items.filter(
      other => other.kind !== 'ActionEvent' && 'tool_call_id' in other && other.tool_call_id === event.tool_call_id,
    )
    expect(answers).toHaveLength(1)
  }
}

describe('the headless service', () => {
  it('prints one line on stdout when it is ready, and logs elsewhere', ({ running: { service } }) => {
    const lines = service.stdout().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual({ url: service.url, gateway_url: service.gatewayUrl })
    expect(service.gatewayUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(service.stderr()).toContain('Ready')
    expect(existsSync(join(service.dataDir, 'logs', 'atelier.log'))).toBe(true)
  })

  it('can be found by other tools through a file that holds no key', ({ running: { service } }) => {
    const file = join(service.dataDir, 'server.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: service.url, pid: service.process.pid })
    expect(readFileSync(file, 'utf8')).not.toContain(service.key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('refuses a data folder that is in use, with what to do', async ({ running: { service } }) => {
    await expect(startHeadless({ dataDir: service.dataDir })).rejects.toThrow(/ATELIER_DATA_DIR/)
  })

  it('refuses a variable that cannot be used by its name', async () => {
    await expect(startHeadless({ env: { ATELIER_PORT: 'many' } })).rejects.toThrow(/ATELIER_PORT/)
  })

  it('survives kill -9 in the middle of a command: the log is whole, the call is answered, the task can go on', async ({
    model,
    running,
  }) => {
    model.setScript([
      call('terminal', { command: 'echo first > /tmp/first' }),
      call('terminal', { command: 'sleep 600' }),
      call('terminal', { command: 'cat /tmp/first' }),
      finish,
    ])
    const task = await startConversation(running.service, { initial_message: said('Work') })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(running.service, id)
    await seen.until(frame => frame.kind === 'ActionEvent' && frame.tool_call.arguments.includes('sleep'))
    await running.service.end('SIGKILL')
    running.service = await startHeadless({ dataDir: running.service.dataDir, key: running.service.key })
    const again = await watch(running.service, id)
    const paused = await again.untilStatus('paused')
    expect(again.of('AgentErrorEvent').map(event => event.error)).toEqual([expect.stringContaining('restart')])
    await expectWholeLog(running.service, id)
    await running.service.client.call(runConversation, { params: { conversation_id: id } })
    await again.untilStatus('finished', 'seq' in paused ? paused.seq : 0)
    const read = again.of('ObservationEvent').findLast(event => event.tool_name === 'terminal')
    expect(textOf(read?.observation.content ?? [])).toMatch(/^first/)
    await expectWholeLog(running.service, id)
    await again.close()
  })

  it('closes everything within ten seconds of SIGTERM, also while a command runs', async ({ model, running }) => {
    model.setScript([call('terminal', { command: 'sleep 600' }), finish])
    const task = await startConversation(running.service, { initial_message: said('Wait') })
    const seen = await watch(running.service, task.app_conversation_id ?? '')
    await seen.until(frame => frame.kind === 'ActionEvent')
    const { code, ms } = await running.service.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(existsSync(join(running.service.dataDir, 'server.json'))).toBe(false)
    expect(running.service.stdout().trim().split('\n')).toHaveLength(1)
    running.service = await startHeadless({ dataDir: running.service.dataDir, key: running.service.key })
    await expectWholeLog(running.service, task.app_conversation_id ?? '')
  })

  it('never writes the key to a log', ({ running: { service } }) => {
    const folder = join(service.dataDir, 'logs')
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(service.key)
    expect(service.stderr()).not.toContain(service.key)
  })
})

it('an error that nobody expected ends it with code 1 and a line in the log, which shows no key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-unexpected-'))
  const preload = join(folder, 'throw.mjs')
  writeFileSync(
    preload,
    "process.once('message', key => setImmediate(() => { throw new Error(`Broken: ${key}.`) }))\nprocess.channel?.unref()\n",
  )
  const doomed = await startHeadless({ preload })
  const exited = once(doomed.process, 'exit')
  doomed.process.send(doomed.key)
  expect((await exited)[0]).toBe(1)
  for (const text of [doomed.stderr(), readFileSync(join(doomed.dataDir, 'logs', 'atelier.log'), 'utf8')]) {
    expect(text).toContain('Broken: <secret-hidden>.')
    expect(text).not.toContain(doomed.key)
  }
  for (const made of [folder, doomed.dataDir]) rmSync(made, { recursive: true })
})
