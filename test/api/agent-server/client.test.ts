import { afterAll, describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'

const it = base
  .extend('library', { scope: 'file' }, async ({}) => {
    // The client looks for a browser's WebSocket when it is loaded.
    Object.assign(globalThis, { window: { WebSocket } })
    return import('@openhands/typescript-client')
  })
  .extend('clients', { scope: 'file' }, ({}) => import('@openhands/typescript-client/clients'))
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { allowed_hosts: ['127.0.0.1'] } }))
  .extend('options', { scope: 'file' }, async ({ service }) => {
    const { caller } = await startGatewaySandbox(service)
    return { host: caller.url, apiKey: caller.key }
  })
  .extend(
    'workspace',
    { scope: 'file' },
    ({ library, options }) => new library.RemoteWorkspace({ ...options, workingDir: '/workspace/project' }),
  )
  // Its types want every field of an agent; the server needs these.
  .extend('agent', { scope: 'file' }, ({ model }) => () => {
    return {
      kind: 'Agent',
      llm: { model: 'openai/scripted', base_url: model.url.openai, api_key: 'sk-scripted' },
      tools: [{ name: 'terminal', params: {} }],
    } as never
  })
  /** A conversation of the client, and what it heard. */
  .extend('open', { scope: 'file' }, ({ library, agent, workspace }) => () => {
    const heard: Heard[] = []
    const waiting = new Set<() => void>()
    const conversation = new library.RemoteConversation(agent(), workspace, {
      callback: (event: unknown) => {
        heard.push(event as Heard)
        for (const look of [...waiting]) look()
      },
    })
    const until = (fits: (event: Heard) => boolean, from = 0) =>
      new Promise<Heard>(resolve => {
        const look = () => {
          const found = heard.slice(from).find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    const untilStatus = (status: string, from = 0) =>
      until(event => event.key === 'execution_status' && event.value === status, from)
    return { conversation, heard, until, untilStatus }
  })

afterAll(() => {
  Reflect.deleteProperty(globalThis, 'window')
})

const tool = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })

interface Heard {
  kind: string
  key?: string
  value?: unknown
}

describe('the client of agent servers', () => {
  it('finds a server that is new enough', async ({ clients, options }) => {
    const server = new clients.ServerClient(options)
    expect(await server.getServerInfo()).toMatchObject({ version: '1.44.0' })
    expect(await new clients.ToolClient(options).listTools()).toContain('terminal')
  })

  it('creates a conversation, streams it, speaks to it again, and deletes it', async ({
    open,
    model,
    clients,
    options,
  }) => {
    const { conversation, heard, until, untilStatus } = open()
    await conversation.start()
    await conversation.startWebSocketClient()
    await until(event => event.key === 'full_state')

    model.setScript([tool('terminal', { command: 'echo from the agent' }), tool('finish', { message: 'First.' })])
    await conversation.sendMessage('Say something')
    await conversation.run()
    await untilStatus('finished')
    expect(heard.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['MessageEvent', 'ActionEvent', 'ObservationEvent']),
    )
    expect(await conversation.getAgentFinalResponse()).toBe('First.')

    const from = heard.length
    model.setScript([tool('finish', { message: 'Second.' })])
    await conversation.sendMessage('And again')
    await conversation.run()
    await untilStatus('finished', from)
    expect(await conversation.getAgentFinalResponse()).toBe('Second.')

    await conversation.setTitle('Named by the client')
    const manager = new clients.ConversationClient(options)
    const found = await manager.searchConversations({ limit: 10 })
    expect(found.items.map(({ id }: { id: string }) => id)).toContain(conversation.id)
    const search = await conversation.state.events.search({ body: 'AND AGAIN' })
    expect(search.items).toHaveLength(1)
    expect(await conversation.state.events.count({ kind: 'ActionEvent' })).toBe(3)

    await conversation.stopWebSocketClient()
    await manager.deleteConversation(conversation.id)
    await expect(manager.getConversation(conversation.id)).rejects.toThrow(/404/)
  })

  it('gives secrets to a conversation, which its commands find and nobody sees', async ({ model, open }) => {
    model.setScript([tool('terminal', { command: 'echo "$FROM_CLIENT" | rev' }), tool('finish', { message: 'Done.' })])
    const { conversation, until, untilStatus } = open()
    await conversation.start()
    await conversation.startWebSocketClient()
    const value = () => 'value-from-the-client'
    await conversation.updateSecrets({ FROM_CLIENT: value })
    await conversation.sendMessage('Use it')
    await conversation.run()
    expect(JSON.stringify(await until(event => event.kind === 'ObservationEvent'))).toContain('tneilc-eht-morf-eulav')
    await untilStatus('finished')
    expect(JSON.stringify(await conversation.state.events.search({}))).not.toContain('value-from-the-client')
    await conversation.close()
  })

  it('pauses and resumes', async ({ model, open }) => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    model.setScript(async (_request, index) => {
      if (index === 0) await held
      return index === 0 ? tool('think', { thought: 'Hm.' }) : tool('finish', { message: 'Done.' })
    })
    const { conversation, untilStatus } = open()
    await conversation.start({ initialMessage: 'Go' })
    await conversation.startWebSocketClient()
    await conversation.pause()
    release()
    await untilStatus('paused')
    await conversation.run()
    await untilStatus('finished')
    await conversation.close()
  })

  it('accepts and rejects what waits for confirmation', async ({ open, model }) => {
    const { conversation, until, untilStatus, heard } = open()
    model.setScript([tool('terminal', { command: 'echo accepted' }), tool('terminal', { command: 'echo rejected' })])
    await conversation.start()
    await conversation.startWebSocketClient()
    await expect(conversation.sendConfirmationResponse(true)).rejects.toThrow(/409/)
    await conversation.setConfirmationPolicy({ type: 'always' } as never)
    await conversation.sendMessage('Go')
    await conversation.run()
    await untilStatus('waiting_for_confirmation')
    const before = heard.length
    await conversation.sendConfirmationResponse(true)
    await until(event => event.kind === 'ObservationEvent')
    await untilStatus('waiting_for_confirmation', before)
    await conversation.sendConfirmationResponse(false, 'Not that.')
    expect(await until(event => event.kind === 'UserRejectObservation')).toMatchObject({
      rejection_reason: 'Not that.',
    })
    await untilStatus('idle', before)
    await conversation.close()
  })

  it('runs commands and moves files in the sandbox', async ({ workspace, clients, options }) => {
    expect(await workspace.executeCommand('echo $((40 + 2)); pwd', '/tmp')).toMatchObject({
      exit_code: 0,
      stdout: '42\n/tmp\n',
    })
    await workspace.uploadText('written by the client', '/tmp/from-client.txt')
    expect(await workspace.downloadAsText('/tmp/from-client.txt')).toBe('written by the client')
    const bash = new clients.BashClient(options)
    const { items } = await bash.searchEvents({ kind__eq: 'BashCommand' } as never)
    expect(items.length).toBeGreaterThan(0)
    expect(await bash.batchGetEvents([items[0]?.id ?? '', 'unknown'])).toEqual([items[0], null])
  })

  it('sees the sub-agents of a folder, of the user and those that are always there', async ({
    clients,
    options,
    workspace,
  }) => {
    const files = new clients.SubAgentsClient(options)
    await workspace.executeCommand(
      'mkdir -p /workspace/project/.agents/agents && printf -- "---\\ndescription: Reads.\\ntools: Read\\nmodel: openai/gpt-5-mini\\n---\\nBe kind." > /workspace/project/.agents/agents/reviewer.md',
    )
    const { agents } = await files.getSubAgents({ project_dir: '/workspace/project' })
    expect(agents.map(({ name, level }) => [name, level])).toEqual([
      ['general-purpose', 'builtin'],
      ['reviewer', 'project'],
      ['code-explorer', 'builtin'],
      ['bash-runner', 'builtin'],
      ['web-researcher', 'builtin'],
    ])
    expect(agents[1]).toMatchObject({ system_prompt: 'Be kind.', tools: ['read'], model: 'openai/gpt-5-mini' })
    expect((await files.getSubAgents({ load_builtin: false, load_project: false })).agents).toEqual([])
    files.close()
  })
})
