import { afterEach, describe, expect } from 'vitest'
import type { Observation } from '../../server/api/event/observations.ts'
import { getConversationBrowser } from '../../server/api/v1/conversation/browser.ts'
import {
  deleteAppConversation,
  interruptConversation,
  sendMessage,
} from '../../server/api/v1/conversation/conversations.ts'
import { pauseSandbox } from '../../server/api/v1/sandbox/sandboxes.ts'
import { searchSandboxSpecs } from '../../server/api/v1/sandbox/specs.ts'
import { textOf } from '../../server/event/model-messages.ts'
import type { ModelRequest, Script } from '../fakes/model-server.ts'
import { it as base } from '../fixtures/service.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { type Watch, watch } from '../parts/client/watch.ts'
import { BROWSER_IMAGE_MS, browserImage } from '../parts/window/browser.ts'

const it = base
  .extend('image', { scope: 'file' }, ({}) => browserImage())
  .extend('serviceOptions', { scope: 'file' }, ({ image, model }) => ({
    settings: {
      llm_model: 'openai/gpt-4o',
      llm_base_url: model.url.openai,
      llm_api_key: 'sk-test-0123456789',
      sandbox_runtime_container_image: image,
    },
  }))
  .extend(
    'start',
    { scope: 'file' },
    ({ service }) =>
      async (options: { sandbox_id?: string; sandbox_spec_id?: string } = {}) => {
        const task = await startConversation(service, { initial_message: said('Try the page'), ...options })
        const id = task.app_conversation_id ?? ''
        const seen = await watch(service, id)
        watches.push(seen)
        return { id, sandbox: task.sandbox_id ?? '', seen, params: { conversation_id: id } }
      },
  )
  .extend('browserOf', { scope: 'file' }, ({ service }) => (id: string) => {
    return service.client.call(getConversationBrowser, { params: { conversation_id: id } })
  })
  /** Lets the agent go on with a message. @returns what the browser answered since then */
  .extend(
    'goOn',
    { scope: 'file' },
    ({ model, service }) =>
      async ({ id, seen }: { id: string; seen: Watch }, script: Script): Promise<Seen[]> => {
        const before = browserResults(seen).length
        const from = seen.events().at(-1)?.seq ?? 0
        model.setScript(script)
        await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Go on') })
        await seen.untilStatus('finished', from + 1)
        return browserResults(seen).slice(before)
      },
  )

const watches: Watch[] = []

// Not within the time of the first test.
it.beforeAll(({ image: _ }) => {}, BROWSER_IMAGE_MS)

afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
})

const call = (name: string, args: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: args }] })
const done = call('finish', { message: 'Done.' })

const offered = (request: ModelRequest | undefined): string[] =>
  request?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)

type Seen = Extract<Observation, { kind: 'BrowserObservation' }>
const browserResults = (seen: Watch): Seen[] =>
  seen
    .of('ObservationEvent')
    .flatMap(({ observation }) => (observation.kind === 'BrowserObservation' ? [observation] : []))

const wordsOf = (result: Seen | undefined) => textOf(result?.content ?? [])
const terminalResults = (seen: Watch): string[] =>
  seen
    .of('ObservationEvent')
    .flatMap(({ observation }) => (observation.kind === 'TerminalObservation' ? [textOf(observation.content)] : []))

const PAGE = `<title>Greeter</title><input id=n placeholder=Name><button onclick="out.textContent = 'Hello ' + n.value">Greet</button><p id=out></p>`
const SERVE = `mkdir -p site && cat > site/index.html <<'EOF'
${PAGE}
EOF
cd site && (python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &) ; until curl -s localhost:8123 >/dev/null; do :; done; cd ..`

/** Takes a connection and says nothing. */
const SILENT_SERVER = `(python3 -c "import socket, time; s = socket.create_server(('127.0.0.1', 8124)); open('/tmp/ready', 'w').close(); time.sleep(600)" >/dev/null 2>&1 &); until [ -e /tmp/ready ]; do :; done`
/** How many browsers run: each has several processes, of which one is the first. */
const COUNT = `ps -eo args | grep -c '^/usr/lib/.*-[s]hell --headless'`

describe('an agent whose sandbox has a browser', () => {
  it('tries a page out: opens it, looks, types, clicks, reads and takes a picture that the model sees', async ({
    model,
    start,
    browserOf,
  }) => {
    model.setScript([
      call('terminal', { command: SERVE }),
      call('browser_navigate', { url: 'localhost:8123' }),
      call('browser_get_state'),
      call('browser_type', { index: 0, text: 'Ada' }),
      call('browser_click', { index: 1 }),
      call('browser_get_content'),
      call('browser_get_state', { include_screenshot: true }),
      done,
    ])
    const { id, seen } = await start()
    await seen.untilStatus('finished')
    const results = browserResults(seen)
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, false, false, false])
    expect(textOf(results[1]?.content ?? [])).toContain('[0] <input placeholder="Name">')
    expect(textOf(results[4]?.content ?? [])).toContain('Hello Ada')
    const picture = results[5]?.screenshot_data ?? ''
    expect(picture).toMatch(/^data:image\/jpeg;base64,/)
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(picture)
    expect(await browserOf(id)).toMatchObject({
      state: 'running',
      executable: '/usr/bin/chromium-headless-shell',
      tabs: [{ url: 'http://localhost:8123/', title: 'Greeter', current: true }],
    })
  })

  it('goes on in the same tab after it was interrupted while a page loaded, and after its sandbox was paused', async ({
    model,
    start,
    service,
    goOn,
  }) => {
    model.setScript([
      call('terminal', { command: `${SERVE}; ${SILENT_SERVER}` }),
      call('browser_navigate', { url: 'http://localhost:8123/' }),
      call('browser_navigate', { url: 'http://localhost:8124/' }),
    ])
    const { id, sandbox, seen, params } = await start()
    await seen.until(
      frame =>
        frame.kind === 'ActionEvent' &&
        frame.action?.kind === 'BrowserNavigateAction' &&
        frame.action.url.includes('8124'),
    )
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    expect(seen.of('AgentErrorEvent')[0]?.error).toContain('stopped')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    const asked = await goOn({ id, seen }, [call('browser_list_tabs'), call('browser_get_state'), done])
    expect(asked.map(({ is_error }) => is_error)).toEqual([false, false])
    expect(wordsOf(asked[0]).split('\n')).toHaveLength(2)
    expect(wordsOf(asked[1])).toContain('[0] <input placeholder="Name">')
    expect(wordsOf(asked[1])).not.toContain('anew')
  })

  it('has a browser of its own beside another in the same sandbox, anew when it was killed, gone with the conversation', async ({
    model,
    start,
    browserOf,
    goOn,
    service,
  }) => {
    model.setScript([call('terminal', { command: SERVE }), call('browser_navigate', { url: 'localhost:8123' }), done])
    const first = await start()
    await first.seen.untilStatus('finished')
    model.setScript([call('browser_list_tabs'), call('terminal', { command: COUNT }), done])
    const second = await start({ sandbox_id: first.sandbox })
    await second.seen.untilStatus('finished')
    expect(wordsOf(browserResults(second.seen)[0])).toContain('about:blank')
    expect(terminalResults(second.seen)).toEqual(['2'])
    expect(await browserOf(first.id)).toMatchObject({ tabs: [{ url: 'http://localhost:8123/' }] })
    const kill = call('terminal', {
      command: `pkill -f '^/usr/lib/.*-[s]hell --headless'; while ${COUNT} | grep -qv '^0'; do :; done`,
    })
    const [state] = await goOn(first, [kill, call('browser_get_state'), done])
    expect(wordsOf(state)).toContain('The browser was started anew')
    await service.client.call(deleteAppConversation, { params: first.params })
    await goOn(second, [
      call('terminal', { command: `while ${COUNT} | grep -qv '^0'; do :; done; ls /tmp/.atelier-browser` }),
      done,
    ])
    expect(terminalResults(second.seen).at(-1)).not.toContain(first.id)
  })

  it('has its tools as soon as it woke a sandbox that nobody knew', async ({ model, start, service, goOn }) => {
    model.setScript([done])
    const { id, sandbox, seen } = await start()
    await seen.untilStatus('finished')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    await service.restart()
    const again = await watch(service, id)
    watches.push(again)
    await again.untilStatus('finished')
    let steps = 0
    const [tabs] = await goOn({ id, seen: again }, request => {
      if (
        again
          .events()
          .some(({ kind, ...event }) => kind === 'ObservationEvent' && JSON.stringify(event).includes('about:blank'))
      )
        return done
      const isOffered = offered(request).includes('browser_list_tabs')
      if (steps++ === 0) expect(isOffered).toBe(false)
      return isOffered ? call('browser_list_tabs') : call('terminal', { command: `echo ${steps}` })
    })
    expect(wordsOf(tabs)).toContain('about:blank')
  })
})

describe('an agent whose sandbox has no browser', () => {
  it('is offered no tools for one until there is, and people are told how to get it', async ({
    service,
    model,
    start,
    browserOf,
    goOn,
  }) => {
    const { items } = await service.client.call(searchSandboxSpecs, { query: {} })
    const plain = items.find(({ id }) => id.startsWith('atelier/sandbox:'))
    model.setScript([call('browser_navigate', { url: 'localhost' }), done])
    const before = model.requests.length
    const task = await start({ sandbox_spec_id: plain?.id ?? '' })
    await task.seen.untilStatus('finished')
    expect(offered(model.requests[before]).filter(name => name.startsWith('browser_'))).toEqual([])
    expect(task.seen.of('AgentErrorEvent')[0]?.error).toContain("Tool 'browser_navigate' not found")
    expect(await browserOf(task.id)).toEqual({
      state: 'missing',
      install: 'apt-get update && apt-get install -y --no-install-recommends chromium',
    })
    const install = `printf '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1.2.3 || { echo no display >&2; exit 1; }\n' >/usr/bin/chromium && chmod +x /usr/bin/chromium`
    await goOn(task, [call('terminal', { command: install }), done])
    expect(await browserOf(task.id)).toEqual({ state: 'ready', executable: '/usr/bin/chromium', version: '1.2.3' })
    const [failed] = await goOn(task, [call('browser_navigate', { url: 'localhost' }), done])
    expect(failed?.is_error).toBe(true)
    expect(wordsOf(failed)).toContain('The browser did not start (/usr/bin/chromium). no display')
  })

  it('is said to be unknown where the sandbox does not run, and the conversation to be unknown where there is none', async ({
    model,
    start,
    service,
    browserOf,
  }) => {
    model.setScript([done])
    const { id, sandbox, seen } = await start()
    await seen.untilStatus('finished')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    expect(await browserOf(id)).toMatchObject({ state: 'ready' })
    await service.restart()
    expect(await browserOf(id)).toEqual({ state: 'unknown' })
    await expect(browserOf('0'.repeat(32))).rejects.toMatchObject({ code: 'conversation_not_found' })
  })
})
