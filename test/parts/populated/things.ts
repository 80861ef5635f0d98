import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import type { AppConversationStartTask } from '../../../server/api/v1/conversation/starts.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { deleteSandbox, pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { forgetMcpSignIn, startMcpSignIn } from '../../../server/api/v1/settings/mcp-sign-in.ts'
import { addMcpServer } from '../../../server/api/v1/settings/mcp-states.ts'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { getSettingsV1, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { makeBackup } from '../../../server/api/v1/system/storage.ts'
import { newConversationId, randomToken } from '../../../server/domain/ids.ts'
import type { FakeMcpServer } from '../../fakes/mcp-http-server.ts'
import { said, startConversation } from '../client/conversation.ts'
import { type GatewayCaller, gatewayCaller, startGatewaySandbox } from '../client/gateway.ts'
import { untilRetry } from '../client/until-retry.ts'
import { watch } from '../client/watch.ts'
import type { TestService } from '../service/service.ts'
import { browserLoginOf } from '../window/login.ts'
import { attemptThings } from './attempts.ts'
import { ClonedRepositories } from './cloned.ts'
import { engineThings } from './engines.ts'
import { fileThings } from './files.ts'
import { FLEETING } from './fleeting.ts'
import { folderThings } from './folders.ts'
import { crowded, messageThings } from './messages.ts'
import { brokenSandbox, SPEC, servicesSandbox, stoppedSandbox, strandedSpec, unusableServices } from './sandboxes.ts'
import { terminalThings } from './terminals.ts'
import { tokenThings } from './tokens.ts'
import { transferThings } from './transfer.ts'
import { trustThings } from './trust.ts'

export interface Around {
  service: TestService
  caller: GatewayCaller
  sandboxId: string
  tools: FakeMcpServer
  /** Addresses: the model, a git provider, a server that never answers, one that nobody trusts, a repository that is locked; a folder. */
  places: Readonly<Record<'model' | 'provider' | 'silent' | 'untrusted' | 'locked' | 'folder', string>>
}

/** By name, what requests are about. */
export class Things {
  readonly #around: Around
  readonly #resolved = (name: string) => this.resolve(name)
  readonly #made = new Map<string, Promise<string>>()
  readonly #terminals = terminalThings(() => this.#around)
  readonly #engines = engineThings(() => this.#around)
  readonly #cloned = new ClonedRepositories(() => this.#around)
  /** The call of a client's tool that was made last. */
  #clientAction = ''
  /** Where the browser is sent to sign in. */
  #signInAt = ''
  /** Used up by a request, or stopped after a test. */
  readonly #once: Readonly<Record<string, () => Promise<string>>> = {
    new: async () => (await this.#start({})).app_conversation_id ?? '',
    running: () => this.#talk('Hang', 'running'),
    waiting: () => this.#waiting(),
    retrying: async () => untilRetry(this.#around.service, await this.#talk('Overload', 'running')),
    withServer: () => this.#withServer(),
    starting: async () => (await this.#starting()).id,
    ...this.#terminals.once,
    spareSandbox: async () => (await startGatewaySandbox(this.#around.service)).id,
    servicesSandbox: () => servicesSandbox(this.#around.service),
    unusableServices: () => unusableServices(this.#around.service),
    backup: async () => (await this.#around.service.client.call(makeBackup)).name,
    loginCode: async () => new URL(this.#around.service.service.loginLink()).hash.replace('#login=', ''),
    browserLogin: () => browserLoginOf(this.#around.service),
    modelless: () => this.#modelless(),
    profile: () => this.#profile(),
    clientCall: () => this.#clientCall(),
    unacceptedClientCall: () => this.#clientCall({ kind: 'AlwaysConfirm' }),
    clientAction: async () => this.#clientAction,
    ...tokenThings(() => this.#around),
    ...fileThings(() => this.#around, this.#resolved),
    brokenSandbox: () => brokenSandbox(this.#around.service),
    crowded: async () => crowded(this.#around, (await this.#starting()).id),
    strandedSpec: () => strandedSpec(this.#around.service),
    secret: () => this.#secret(),
    spareConversation: async () => {
      const { id } = await startGatewaySandbox(this.#around.service)
      return (await this.#start({ sandbox_id: id })).app_conversation_id ?? ''
    },
    ...this.#cloned.once,
    spareEngine: this.#engines.spareEngine,
    freeEngineHost: this.#engines.freeEngineHost,
    ...transferThings(() => this.#around),
    spec: async () => (await this.#around.service.client.call(createSandboxSpec, { body: SPEC })).id,
    builtSpec: async () => {
      const body = { title: 'Built', dockerfile: `FROM ${await this.#kept.builtInSpec?.()}\nRUN sleep 1\n` }
      return (await this.#around.service.client.call(createSandboxSpec, { body })).id
    },
    free: async () => newConversationId(),
    freeName: async () => `NAME_${randomToken(8)}`,
    signIn: () => this.#signIn(),
    answer: () => this.#around.tools.oauth.visit(this.#signInAt),
  }
  readonly #kept: Readonly<Record<string, () => Promise<string>>> = {
    ...folderThings(() => this.#around),
    ...attemptThings(() => this.#around),
    engine: this.#engines.engine,
    ...messageThings(() => this.#around),
    ...this.#cloned.kept,
    ...trustThings(() => this.#around, this.#resolved),
    sandbox: async () => this.#around.sandboxId,
    ...this.#terminals.kept,
    provider: async () => this.#around.places.provider,
    model: async () => this.#around.places.model,
    untrusted: async () => this.#around.places.untrusted,
    locked: async () => this.#around.places.locked,
    folder: async () => this.#around.places.folder,
    conversation: () => this.#conversation(),
    event: () => this.#eventOf('MessageEvent'),
    reported: () => this.#reported(),
    stopped: () => this.#stopped(),
    stoppedSandbox: () => stoppedSandbox(this.#around.service),
    orphan: () => this.#orphan(),
    bare: () => this.#bare(),
    builtInSpec: async () =>
      (await this.#around.service.client.call(searchSandboxSpecs, { query: {} })).items[0]?.id ?? '',
    endedTask: async () => (await this.#start({})).id,
    takenSecret: () => this.#secret(),
    secretOfConversation: async () => {
      const name = `SECRET_${randomToken(8)}`
      await this.#start({ secrets: { [name]: 'open-sesame-now' } })
      return name
    },
    takenProfile: () => this.#profile(),
    command: async () => (await this.#bash('true')).command_id,
    commit: async () => {
      await this.resolve('conversation')
      return (await this.#bash('git rev-parse HEAD', '/workspace/project')).stdout.trim()
    },
  }

  constructor(around: Around) {
    this.#around = around
  }

  /** A request that is to fail uses nothing up, so that one thing does for all of them. */
  resolve(name: string, isUsedUp = true): Promise<string> {
    const once = this.#once[name]
    if (once && (isUsedUp || FLEETING.has(name))) return once()
    const make = once ?? this.#kept[name]
    if (!make) throw new Error(`There is no $${name}.`)
    const made = this.#made.get(name) ?? make()
    this.#made.set(name, made)
    return made
  }

  async #start(fields: Parameters<typeof startConversation>[1]): Promise<AppConversationStartTask> {
    const task = await startConversation(this.#around.service, { sandbox_id: this.#around.sandboxId, ...fields })
    if (task.status !== 'READY') throw new Error(task.detail ?? 'The conversation did not start.')
    return task
  }

  async #talk(text: string, status: string, fields: object = {}): Promise<string> {
    const id = (await this.#start({ initial_message: said(text), ...fields })).app_conversation_id ?? ''
    const seen = await watch(this.#around.service, id)
    await seen.untilStatus(status)
    await seen.close()
    return id
  }

  async #bash(command: string, cwd = '/'): Promise<{ command_id: string; stdout: string }> {
    return (await this.#around.caller.call('POST', '/api/bash/execute_bash_command', { command, cwd })).body
  }

  async #conversation(): Promise<string> {
    const id = await this.#talk('Finish', 'finished')
    await this.#bash(FILES, '/workspace/project')
    return id
  }

  async #waiting(): Promise<string> {
    return this.#talk('Call', 'waiting_for_confirmation', { confirmation_policy: { kind: 'AlwaysConfirm' } })
  }

  /** One that was begun while no model was set up. */
  async #modelless(): Promise<string> {
    const { client } = this.#around.service
    const { llm_model } = await client.call(getSettingsV1, {})
    await client.call(storeSettings, { body: { llm_model: null } })
    const id = await this.resolve('new')
    const message = { ...said('Hello'), run: false }
    await client.call(sendMessage, { params: { conversation_id: id }, body: message })
    await client.call(storeSettings, { body: { llm_model } })
    return id
  }

  async #profile(): Promise<string> {
    const { service, places } = this.#around
    const name = `profile-${randomToken(8)}`
    const llm = { ...LLM, base_url: places.model, api_key: 'sk-profile-0123' }
    await gatewayCaller(service, service.key).call('POST', `/api/profiles/${name}`, { llm })
    return name
  }

  /** The agent has called a tool of its client, and waits for what comes of it. */
  async #clientCall(confirmation_policy: object = { kind: 'NeverConfirm' }): Promise<string> {
    const { service, caller } = this.#around
    const client_tools = [{ name: 'ask_client', description: 'Asks the client.', awaits_result: true }]
    const start = { agent: { kind: 'Agent', llm: LLM }, workspace: { working_dir: '/workspace/client' }, client_tools }
    const message = { content: [{ type: 'text', text: 'Ask' }] }
    const { body } = await caller.call('POST', '/api/conversations', {
      ...start,
      confirmation_policy,
      initial_message: message,
    })
    const seen = await watch(service, body.id)
    await seen.until(frame => frame.kind === 'ActionEvent', 'The call')
    this.#clientAction = seen.of('ActionEvent')[0]?.id ?? ''
    await seen.untilStatus(
      'kind' in confirmation_policy && confirmation_policy.kind === 'AlwaysConfirm'
        ? 'waiting_for_confirmation'
        : 'running',
    )
    await seen.close()
    return body.id
  }

  /** Its working directory is no repository any more. */
  async #bare(): Promise<string> {
    const { id, caller } = await startGatewaySandbox(this.#around.service)
    const conversation = (await this.#start({ sandbox_id: id })).app_conversation_id ?? ''
    const body = { command: 'rm -rf /workspace/project/.git' }
    await caller.call('POST', '/api/bash/execute_bash_command', body)
    return conversation
  }

  async #withServer(): Promise<string> {
    const conversation_id = await this.resolve('new')
    const body = { name: 'tools', server: { transport: 'http' as const, url: 'http://127.0.0.1:1/mcp' } }
    await this.#around.service.client.call(addMcpServer, { params: { conversation_id }, body })
    return conversation_id
  }

  async #starting(): Promise<AppConversationStartTask> {
    const selected_repository = `${this.#around.places.silent}/nobody/answers.git`
    const { service, sandboxId } = this.#around
    return service.client.call(createAppConversation, { body: { sandbox_id: sandboxId, selected_repository } })
  }

  async #signIn(): Promise<string> {
    const { service, tools } = this.#around
    tools.oauth.on = true
    await service.client.call(forgetMcpSignIn, { body: { url: tools.url } })
    const job = await service.client.call(startMcpSignIn, { body: { server: { transport: 'http', url: tools.url } } })
    this.#signInAt = job.authorization_url ?? ''
    return job.job_id
  }

  async #secret(): Promise<string> {
    const name = `SECRET_${randomToken(8)}`
    await this.#around.service.client.call(createSecretV1, { body: { name, value: 'open-sesame-now' } })
    return name
  }

  async #eventOf(kind: string): Promise<string> {
    const conversation_id = await this.resolve('conversation')
    const params = { conversation_id }
    const { items } = await this.#around.service.client.call(searchConversationEvents, { params })
    return items.find(event => event.kind === kind)?.id ?? ''
  }

  async #reported(): Promise<string> {
    const id = newConversationId()
    const { service, caller } = this.#around
    const reply = await fetch(`${service.url}/api/v1/webhooks/conversations`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': caller.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, title: 'Elsewhere', execution_status: 'idle' }),
    })
    if (!reply.ok) throw new Error(await reply.text())
    return id
  }

  async #stopped(): Promise<string> {
    const { service } = this.#around
    const { id } = await startGatewaySandbox(service)
    const conversation = (await this.#start({ sandbox_id: id })).app_conversation_id ?? ''
    await service.client.call(pauseSandbox, { params: { sandbox_id: id } })
    return conversation
  }

  async #orphan(): Promise<string> {
    const { service } = this.#around
    const { id } = await startGatewaySandbox(service)
    const conversation = (await this.#start({ sandbox_id: id })).app_conversation_id ?? ''
    await service.client.call(deleteSandbox, { params: { sandbox_id: id } })
    return conversation
  }
}

export const LLM = { model: 'openai/scripted' }
const FILES = `git config user.name A && git config user.email a@localhost
echo one >text.txt && git add text.txt && git commit -qm One && echo two | tee unwanted.txt unstaged.txt >text.txt
mkdir -p .git/info && echo ignored.txt >.git/info/exclude && echo two >ignored.txt
printf 'a\\000b' >binary.bin; truncate -s 11M large.txt; mkdir -p folder /workspace/bare`
