import type { EventOf } from '../../api/event/events.ts'
import type { Confirmation, Conversation, ConversationResult } from '../../client/conversation.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { actionLine, linesOf } from '../output/event-lines.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Session } from '../session.ts'

export const CONFIRM_CHOICES = ['ask', 'accept', 'reject', 'leave'] as const

export interface FollowOptions {
  /** What is done about actions that wait; `ask` without a person is `leave`. */
  confirm: (typeof CONFIRM_CHOICES)[number]
  /** What Ctrl-C does to the agent. */
  onInterrupt: 'detach' | 'stop'
  afterSeq: number
}

/** Without a connection for so long, the service is gone. */
const RECONNECT_TIMEOUT_MS = 60_000

/** Shows what happens until the agent is done, a person is needed, or Ctrl-C. */
export async function follow(
  session: Session,
  conversation: Conversation,
  { confirm, onInterrupt, afterSeq }: FollowOptions,
): Promise<ExitCode> {
  const { terminal, signal } = session
  const asks = confirm === 'ask' && terminal.isInteractive
  if (!terminal.isJson) terminal.say(INTERRUPT_WORDS[onInterrupt], 'dim')
  try {
    const result = await conversation.wait({
      afterSeq,
      signal,
      reconnectTimeoutMs: RECONNECT_TIMEOUT_MS,
      onFrame: frame => {
        if (terminal.isJson) {
          if ('seq' in frame) terminal.json({ type: 'event', event: frame })
        } else for (const { text, style } of linesOf(frame)) terminal.print(text, style)
      },
      onState: ({ kind }) => kind === 'waiting' && terminal.say('The connection is lost; trying again …', 'dim'),
      ...(asks && { onConfirmation: actions => askAbout(terminal, actions, signal) }),
      ...(confirm === 'accept' && { onConfirmation: () => ({ accept: true }) }),
      ...(confirm === 'reject' && { onConfirmation: () => ({ accept: false }) }),
    })
    return conclude(terminal, result)
  } catch (error) {
    if (!signal.aborted) throw error
    return interrupted(terminal, conversation, onInterrupt)
  }
}

const INTERRUPT_WORDS = {
  detach: 'Ctrl-C detaches; the agent goes on.',
  stop: 'Ctrl-C stops the agent.',
}

async function interrupted(
  terminal: Terminal,
  conversation: Conversation,
  onInterrupt: FollowOptions['onInterrupt'],
): Promise<ExitCode> {
  if (onInterrupt === 'stop') {
    await conversation.stop()
    terminal.say('Stopped. `atelier send` lets the agent go on.')
  } else {
    terminal.say(
      `Detached; the agent goes on. \`atelier attach ${conversation.id}\` shows it again, \`atelier stop ${conversation.id}\` stops it.`,
    )
  }
  return EXIT.interrupted
}

function conclude(terminal: Terminal, { conversation, status, response, error }: ConversationResult): ExitCode {
  if (terminal.isJson) terminal.json({ type: 'result', conversation_id: conversation.id, status, response, error })
  if (status === 'finished') return EXIT.done
  if (status === 'error' || status === 'stuck') {
    terminal.say(status === 'stuck' ? 'The agent is stuck: it repeats itself.' : 'The task failed.', 'red')
    return EXIT.failed
  }
  terminal.say(WAITING_WORDS[status] ?? `The conversation is ${status}.`, 'yellow')
  return EXIT.waiting
}

const WAITING_WORDS: Partial<Record<ConversationResult['status'], string>> = {
  waiting_for_confirmation: 'Actions wait for a person: `atelier attach` asks about them.',
  paused: 'The agent is paused. `atelier send` lets it go on.',
  idle: 'The agent waits for a message: `atelier send`.',
}

async function askAbout(
  terminal: Terminal,
  actions: EventOf<'ActionEvent'>[],
  signal: AbortSignal,
): Promise<Confirmation | null> {
  terminal.say('The agent asks before it does this:', 'yellow')
  for (const action of actions) {
    terminal.say(`  ${action.security_risk} ${actionLine(action)}`, 'bold')
    for (const reason of action.risk_reasons ?? []) terminal.say(`    ${reason}`, 'dim')
  }
  for (;;) {
    const answer = await terminal.ask('Accept? [y]es, [a]lways this kind, [n]o and why, [l]eave it waiting: ', signal)
    const [choice = '', ...reason] = answer.split(' ')
    if (/^y(es)?$/i.test(choice)) return { accept: true }
    if (/^a(lways)?$/i.test(choice)) return { accept: true, always_allow: true }
    if (/^n(o)?$/i.test(choice)) return { accept: false, ...(reason.length > 0 && { reason: reason.join(' ') }) }
    if (/^(l(eave)?)?$/i.test(choice)) return null
  }
}
