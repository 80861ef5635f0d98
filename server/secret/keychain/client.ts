import { AppError } from '../../domain/errors.ts'
import type { SecretLog } from '../vault/log.ts'
import type { ChildPort } from './child-port.ts'
import {
  KEYCHAIN_STARTED,
  type KeychainAnswer,
  type KeychainCall,
  type KeychainReply,
  keychainReply,
} from './protocol.ts'

export interface KeychainClient {
  /** One call at a time: the caller waits for the answer before the next. Never rejects, except when closed. */
  ask(call: KeychainCall): Promise<KeychainAnswer>
  /** The next call starts a new process. */
  restart(): void
  close(): void
}

/** How long a process may take to start, on a machine that is busy with starting everything else too. */
const START_MS = 30_000

/**
 * Asks the keychain process, starting it when needed. One that does not answer in time is killed, and the next call
 * starts another: a hung keychain must not hang the service.
 * @param options `timeoutMs` for the answer of a process that has started, `startMs` for its start
 */
export function createKeychainClient(options: {
  spawnChild: () => ChildPort
  timeoutMs: number
  startMs?: number
  log: SecretLog
}): KeychainClient {
  const { spawnChild, timeoutMs, startMs = START_MS, log } = options
  let child: Child | undefined
  let nextId = 1
  let closed = false

  const drop = (dead: Child): void => {
    dead.port.kill()
    if (child === dead) child = undefined
  }
  return {
    async ask(call) {
      if (closed) throw new AppError('keychain_failed', 'The keychain is closed because the app is ending.')
      const asked = child ?? startChild(spawnChild)
      child = asked
      const id = nextId++
      const answer = await answerOf(asked, { id, ...call }, { timeoutMs, startMs })
      if (answer.kind === 'reply') return answer.reply
      log.warn({ op: call.op, problem: answer.kind }, 'The keychain process gave no answer and was ended')
      drop(asked)
      return answer.kind === 'silent'
        ? { ok: false, state: 'locked', reason: `It did not answer within ${timeoutMs / 1000} s.` }
        : { ok: false, state: 'failed', reason: 'The process that talks to the keychain ended.' }
    },
    restart() {
      if (child) drop(child)
    },
    close() {
      closed = true
      if (child) drop(child)
    },
  }
}

interface Child {
  port: ChildPort
  /** Whoever waits for an answer now. */
  listener: (event: ChildEvent) => void
  started: boolean
  exited: boolean
}

type ChildEvent = KeychainReply | 'started' | 'exited'

function startChild(spawnChild: () => ChildPort): Child {
  const child: Child = { port: spawnChild(), listener: () => {}, started: false, exited: false }
  child.port.onMessage(message => {
    if (message === KEYCHAIN_STARTED) {
      child.started = true
      child.listener('started')
    }
    const reply = keychainReply.safeParse(message)
    if (reply.success) child.listener(reply.data)
  })
  child.port.onExit(() => {
    child.exited = true
    child.listener('exited')
  })
  return child
}

type Outcome = { kind: 'reply'; reply: KeychainReply } | { kind: 'silent' } | { kind: 'exited' }

function answerOf(
  child: Child,
  request: KeychainCall & { id: number },
  { timeoutMs, startMs }: { timeoutMs: number; startMs: number },
): Promise<Outcome> {
  return new Promise(resolve => {
    const waitFor = (ms: number) => setTimeout(() => settle({ kind: 'silent' }), ms)
    let timer = waitFor(child.started ? timeoutMs : startMs)
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer)
      child.listener = () => {}
      resolve(outcome)
    }
    child.listener = event => {
      if (event === 'started') {
        clearTimeout(timer)
        timer = waitFor(timeoutMs)
      } else if (event === 'exited') settle({ kind: 'exited' })
      else if (event.id === request.id) settle({ kind: 'reply', reply: event })
    }
    if (child.exited) settle({ kind: 'exited' })
    else child.port.send(request)
  })
}
