import { setTimeout as delay } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'

export interface Service {
  url: string
  key: string
}

/** What the client draws of an event. */
interface Row {
  id: string
  kind: string
  text: string
  /** Accept and Reject stand below it. The client decides it when the row appears, and not again. */
  asks: boolean
}

/** An open conversation as a person sees it in the window of an existing client. */
export interface OpenConversation {
  /** In the words of the older generation; `loading` until the first one comes. */
  state(): string
  rows(): readonly Row[]
  title(): string | undefined
  /** The message box is open and the answer would be heard. */
  canSend(): boolean
  send(text: string): Promise<void>
  answer(accept: boolean): Promise<void>
  stop(): Promise<void>
  goOn(): Promise<void>
  /** Resolves when what is shown fits. */
  until(fits: (shown: OpenConversation) => boolean, what: string): Promise<void>
  close(): void
}

// biome-ignore lint/suspicious/noExplicitAny: a client of JavaScript
type Anything = any

export type Generation = 'V0' | 'V1'

/**
 * A web client that exists, as far as the service sees it: it knows of a conversation only what its list and its socket
 * tell, and speaks the generation that the conversation names.
 */
export class WebClient {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Anything }> {
    return request(this.#service, method, path, body)
  }

  /** "New conversation". @returns its id */
  async create(
    generation: Generation,
    { repository, branch }: { repository?: string; branch?: string } = {},
  ): Promise<string> {
    if (generation === 'V0') {
      const fields = { ...(repository && { repository, selected_branch: branch }) }
      const { body } = await this.call('POST', '/api/conversations', fields)
      return body.conversation_id
    }
    const fields = {
      parent_conversation_id: null,
      ...(repository && { selected_repository: repository, selected_branch: branch }),
    }
    const { body } = await this.call('POST', '/api/v1/app-conversations', fields)
    return eventually('The start', async () => {
      const tasks = await this.call('GET', `/api/v1/app-conversations/start-tasks?ids=${body.id}`)
      if (tasks.body[0].status === 'ERROR') throw new Error(tasks.body[0].detail)
      return tasks.body[0].status === 'READY' ? tasks.body[0].app_conversation_id : undefined
    })
  }

  /** Goes to the conversation's page, which starts a stopped one and waits until it can connect. */
  async open(id: string): Promise<OpenConversation> {
    const { body: first } = await this.call('GET', `/api/conversations/${id}`)
    if (first === null) throw new Error('The conversation does not exist.')
    if (first.status === 'STOPPED') await this.call('POST', `/api/conversations/${id}/start`, { providers_set: [] })
    if (first.conversation_version === 'V0' && first.status === 'STARTING') return openOlder(this.#service, id)
    const info = await eventually('The running conversation', async () => {
      const { body } = await this.call('GET', `/api/conversations/${id}`)
      return body.status === 'RUNNING' && body.runtime_status !== null ? body : undefined
    })
    return info.conversation_version === 'V0' ? openOlder(this.#service, id) : openNewer(info)
  }
}

async function request({ url, key }: Service, method: string, path: string, body?: unknown) {
  const reply = await fetch(url + path, {
    method,
    headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}

const PATIENCE_MS = 25_000
const POLL_MS = 100

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`${what} did not come.`)
}

/** What both generations show, and who waits for a change of it. */
class Shown {
  state = 'loading'
  title: string | undefined
  readonly rows: Row[] = []
  readonly #looks = new Set<() => void>()

  changed(): void {
    for (const look of [...this.#looks]) look()
  }

  /** A row that is there is not drawn again. */
  add(row: Row): void {
    if (this.rows.every(({ id }) => id !== row.id)) this.rows.push(row)
  }

  until(fits: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#looks.delete(look)
        reject(new Error(`${what} was not shown, but: ${this.state}, ${JSON.stringify(this.rows)}`))
      }, PATIENCE_MS)
      const look = () => {
        if (!fits()) return
        clearTimeout(timer)
        this.#looks.delete(look)
        resolve()
      }
      this.#looks.add(look)
      look()
    })
  }
}

const CLOSED_TO_MESSAGES = new Set(['loading', 'awaiting_user_confirmation'])

function openOlder(service: Service, id: string): OpenConversation {
  const shown = new Shown()
  const query = { latest_event_id: '-1', conversation_id: id, providers_set: '', session_api_key: service.key }
  const socket = io(service.url, { transports: ['websocket'], forceNew: true, query })
  socket.on('oh_event', (frame: Anything) => {
    if (frame.conversation_title) shown.title = frame.conversation_title
    if (frame.observation === 'agent_state_changed') shown.state = frame.extras.agent_state
    const isEvent = ['id', 'source', 'message', 'timestamp'].every(name => name in frame)
    if (isEvent && (frame.action ?? frame.observation) !== 'agent_state_changed')
      shown.add(olderRow(frame, shown.state))
    shown.changed()
  })
  const act = async (action: string, args: object) => void socket.emit('oh_user_action', { action, args })
  const conversation: OpenConversation = {
    state: () => shown.state,
    rows: () => shown.rows,
    title: () => shown.title,
    canSend: () => socket.connected && !CLOSED_TO_MESSAGES.has(shown.state),
    send: content => act('message', { content, image_urls: [], file_urls: [], timestamp: new Date().toISOString() }),
    answer: accept => act('change_agent_state', { agent_state: accept ? 'user_confirmed' : 'user_rejected' }),
    stop: () => act('change_agent_state', { agent_state: 'stopped' }),
    goOn: () => act('change_agent_state', { agent_state: 'running' }),
    until: (fits, what) => shown.until(() => fits(conversation), what),
    close: () => socket.close(),
  }
  return conversation
}

function olderRow(frame: Anything, state: string): Row {
  return {
    id: String(frame.id),
    kind: frame.action ?? frame.observation,
    text: [frame.message, frame.content, frame.extras?.diff].filter(Boolean).join('\n'),
    asks: frame.args?.confirmation_state === 'awaiting_confirmation' && state === 'awaiting_user_confirmation',
  }
}

const STATES: Record<string, string> = {
  idle: 'awaiting_user_input',
  waiting_for_confirmation: 'awaiting_user_confirmation',
  stuck: 'error',
}

/** Only host and port of the conversation's address count for the client. */
async function openNewer(info: Anything): Promise<OpenConversation> {
  const shown = new Shown()
  const id = info.conversation_id
  const server = { url: `http://${new URL(info.url).host}`, key: info.session_api_key }
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/sockets/events/${id}?resend_all=true&session_api_key=${server.key}`,
  )
  socket.on('message', data => {
    const frame = JSON.parse(String(data))
    if (frame.kind === 'ConversationStateUpdateEvent') {
      const status = frame.key === 'full_state' ? frame.value.execution_status : frame.value
      if (frame.key === 'full_state' || frame.key === 'execution_status') shown.state = STATES[status] ?? status
      if (frame.key === 'title') shown.title = frame.value
    } else if (['MessageEvent', 'ActionEvent', 'ObservationEvent', 'UserRejectObservation'].includes(frame.kind)) {
      shown.add(newerRow(frame))
    }
    shown.changed()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const at = (path: string, body: object = {}) => request(server, 'POST', `/api/conversations/${id}${path}`, body)
  const act = async (path: string, body?: object) => {
    const { status, body: reply } = await at(path, body)
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`)
  }
  const conversation: OpenConversation = {
    state: () => shown.state,
    /** Buttons stand below the last row while the state asks for it. */
    rows: () =>
      shown.rows.map((row, index) => ({
        ...row,
        asks: row.asks && index === shown.rows.length - 1 && shown.state === 'awaiting_user_confirmation',
      })),
    title: () => shown.title,
    canSend: () => socket.readyState === socket.OPEN && !CLOSED_TO_MESSAGES.has(shown.state),
    send: async text => socket.send(JSON.stringify({ role: 'user', content: [{ type: 'text', text }] })),
    answer: accept => act('/events/respond_to_confirmation', { accept }),
    stop: () => act('/pause'),
    goOn: () => act('/run'),
    until: (fits, what) => shown.until(() => fits(conversation), what),
    close: () => socket.close(),
  }
  return conversation
}

function newerRow(frame: Anything): Row {
  const said = [...(frame.llm_message?.content ?? []), ...(frame.thought ?? [])]
  return {
    id: frame.id,
    kind: frame.kind,
    text: [...said.map(({ text }: { text?: string }) => text ?? ''), calledIn(frame), observedIn(frame)].join('\n'),
    asks: frame.kind === 'ActionEvent',
  }
}

/** It knows the kinds of its time, and of others no more than the name. */
function calledIn({ action }: Anything): string {
  if (action?.kind === 'ExecuteBashAction') return action.command
  return action?.kind === 'FinishAction' ? action.message : (action?.kind ?? '')
}

function observedIn({ observation }: Anything): string {
  switch (observation?.kind) {
    case 'ExecuteBashObservation':
    case 'MCPToolObservation':
      return observation.content.map(({ text }: { text?: string }) => text ?? '').join('\n')
    case 'ThinkObservation':
    case 'TaskTrackerObservation':
      return observation.content.trim()
    case 'FileEditorObservation':
    case 'BrowserObservation':
      return observation.error || observation.output
    default:
      return observation?.kind ?? ''
  }
}
