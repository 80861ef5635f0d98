import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789' }),
  }))
  .extend('start', { scope: 'file' }, ({ service }) => async (text: string): Promise<Watch> => {
    const task = await startConversation(service, { initial_message: said(text) })
    expect(task.detail).toBeNull()
    const one = await watch(service, task.app_conversation_id ?? '')
    watches.push(one)
    const untilStatus: Watch['untilStatus'] = status =>
      one.until(
        frame =>
          'kind' in frame &&
          frame.kind === 'ConversationStateUpdateEvent' &&
          JSON.stringify(frame).includes(`"${status}"`),
        status,
        200_000,
      )
    return { ...one, untilStatus }
  })

const watches: Watch[] = []

afterAll(async () => {
  for (const one of watches) await one.close()
})

const FINALS = ['@', 'A', 'C', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b']

/** Each ends with a word in a line of its own, which must be read. */
const HOSTILE = [
  "printf '\\033[2147483647S'; echo; echo after",
  ...FINALS.map(final => `printf 'x\\033[99999999${final}'; echo; echo after`),
  "printf '\\302\\2332147483647S'; echo; echo after",
  "printf '\\033[50;256H\\033[1J'; echo; echo after",
  "for i in $(seq 4000); do printf '\\033[50L\\033[50S'; done; printf '\\033[r\\033[999H'; echo; echo after",
  'head -c 200000 /dev/urandom; printf "\\033\\\\\\033[r\\033[?1049l\\033[999H"; echo; echo after',
  "printf '\\033]0;'; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo after",
  'timeout 3 yes; echo; echo after',
  'timeout 3 yes "$(printf \'a\\rb\')"; echo; echo after',
]

it('output that would keep a terminal busy for ever holds up neither the service, nor its shell, nor other conversations', async ({
  model,
  start,
  service,
}) => {
  const steps = { hostile: 0, quiet: 0 }
  let over = false
  model.setScript(request => {
    const who = asked(request).includes('Attack') ? 'hostile' : 'quiet'
    const step = steps[who]++
    if (who === 'quiet') return over ? { text: 'Done.' } : use(`echo quiet ${step}`)
    const command = HOSTILE[step]
    return command === undefined ? { text: 'Done.' } : use(command)
  })
  const quiet = await start('Work beside it')
  const hostile = await start('Attack')
  const health = watchHealth(service.url)
  await hostile.untilStatus('finished')
  over = true
  await quiet.untilStatus('finished')
  const { answers, failures } = await health.stop()

  const outputs = hostile.of('ObservationEvent').map(({ observation }) => observation)
  expect(outputs).toHaveLength(HOSTILE.length)
  for (const [at, observation] of outputs.entries()) {
    if (observation.kind !== 'TerminalObservation') throw new Error('Another tool answered.')
    const text = observation.content.map(part => (part.type === 'text' ? part.text : '')).join('')
    expect([HOSTILE[at], observation.exit_code === 124 ? 0 : observation.exit_code]).toEqual([HOSTILE[at], 0])
    expect([HOSTILE[at], text.trim().split('\n').at(-1)]).toEqual([HOSTILE[at], 'after'])
  }
  // One shell served them all.
  const shells = outputs.map(observation => observation.kind === 'TerminalObservation' && observation.metadata.pid)
  expect(new Set(shells).size).toBe(1)
  expect(quiet.of('ObservationEvent').length).toBeGreaterThan(5)
  expect(failures).toEqual([])
  expect(answers).toBeGreaterThan(20)
}, 240_000)

function use(command: string) {
  return { toolCalls: [{ name: 'terminal', arguments: { command, timeout: 60 } }] }
}

function asked(request: ModelRequest): string {
  return JSON.stringify(request.body.messages.filter((message: { role: string }) => message.role === 'user'))
}

/** Asks for the service's health over and over. */
function watchHealth(url: string) {
  const stopped = new AbortController()
  const failures: string[] = []
  let answers = 0
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const since = performance.now()
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) }).catch(String)
      const took = performance.now() - since
      if (typeof answer === 'string' || !answer.ok || took > 3_000)
        failures.push(`${answer} after ${Math.round(took)} ms`)
      answers++
      await delay(50)
    }
  })()
  return {
    stop: async () => {
      stopped.abort()
      await asking
      return { answers, failures }
    },
  }
}
