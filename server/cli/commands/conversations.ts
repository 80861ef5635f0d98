import type { AppConversation } from '../../api/v1/conversation/conversations.ts'
import type { Atelier } from '../../client/atelier.ts'
import type { Conversation } from '../../client/conversation.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { plainLine } from '../output/plain-text.ts'
import { openAtelier, type Session } from '../session.ts'
import { type FollowOptions, follow } from './follow.ts'

const ID_LENGTH = 32
const MIN_PREFIX = 4

/** A conversation by its id, or by a beginning of it that no other has. */
export async function findConversation(
  session: Session,
  id: string,
): Promise<{ atelier: Atelier; conversation: Conversation }> {
  const given = id.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]+$/.test(given) || given.length < MIN_PREFIX || given.length > ID_LENGTH) {
    throw new CommandError(
      EXIT.usage,
      `'${plainLine(id)}' is not the id of a conversation. \`atelier list\` shows them.`,
    )
  }
  const atelier = await openAtelier(session)
  if (given.length === ID_LENGTH) return { atelier, conversation: atelier.conversation(given) }
  const found: string[] = []
  for await (const conversation of atelier.conversations({ include_sub_conversations: true, limit: 100 }, session)) {
    if (conversation.id.startsWith(given)) found.push(conversation.id)
  }
  const [first] = found
  if (first && found.length === 1) return { atelier, conversation: atelier.conversation(first) }
  const message = first ? `${found.length} conversations begin with ${given}.` : `No conversation begins with ${given}.`
  throw new CommandError(EXIT.refused, `${message} \`atelier list\` shows them.`)
}

export async function list(session: Session, { limit }: { limit: number }): Promise<ExitCode> {
  const { terminal, signal } = session
  const atelier = await openAtelier(session)
  let shown = 0
  for await (const conversation of atelier.conversations({ limit: Math.min(limit, 100) }, { signal })) {
    if (terminal.isJson) terminal.json(withoutKey(conversation))
    else terminal.print(line(conversation))
    shown += 1
    if (shown === limit) break
  }
  if (shown === 0) terminal.say('There are no conversations. `atelier run` starts one.', 'dim')
  return EXIT.done
}

export async function show(session: Session, id: string): Promise<ExitCode> {
  const { terminal, signal } = session
  const { conversation } = await findConversation(session, id)
  const info = await conversation.info(signal)
  const response = await conversation.answer(signal)
  if (terminal.isJson) {
    terminal.json({ ...withoutKey(info), response })
    return EXIT.done
  }
  for (const [name, value] of [
    ['id', info.id],
    ['title', info.title],
    ['status', info.execution_status],
    ['sandbox', `${info.sandbox_id} (${info.sandbox_status})`],
    ['repository', info.selected_repository],
    ['branch', info.selected_branch],
    ['model', info.llm_model],
    ['steps', `${info.steps} of at most ${info.max_iterations}`],
    ['created', info.created_at],
    ['changed', info.updated_at],
  ]) {
    if (value) terminal.print(`${name}: ${plainLine(value)}`)
  }
  if (response) terminal.print(`\n${response}`)
  return EXIT.done
}

export async function attach(
  session: Session,
  id: string,
  options: Omit<FollowOptions, 'afterSeq'> & { all?: boolean },
) {
  const { conversation } = await findConversation(session, id)
  const afterSeq = options.all ? -1 : await startOfLastTurn(conversation, session.signal)
  return follow(session, conversation, { ...options, afterSeq })
}

export async function send(
  session: Session,
  id: string,
  text: string,
  options: Omit<FollowOptions, 'afterSeq'> & { follow?: boolean },
): Promise<ExitCode> {
  const message = text === '-' ? await session.terminal.input() : text
  if (message.trim() === '') throw new CommandError(EXIT.usage, 'The message is empty. Write what should be done.')
  const { conversation } = await findConversation(session, id)
  const afterSeq = await conversation.lastSeq(session.signal)
  await conversation.send(message)
  if (options.follow) return follow(session, conversation, { ...options, afterSeq })
  session.terminal.say('Sent.', 'dim')
  return EXIT.done
}

export async function stop(session: Session, id: string): Promise<ExitCode> {
  const { conversation } = await findConversation(session, id)
  await conversation.stop()
  session.terminal.say('Stopped. `atelier send` lets the agent go on.', 'dim')
  return EXIT.done
}

/** So much of the past is shown, that what goes on can be understood. */
const SHOWN_EVENTS = 30

async function startOfLastTurn(conversation: Conversation, signal: AbortSignal): Promise<number> {
  return Math.max(-1, (await conversation.lastSeq(signal)) - SHOWN_EVENTS)
}

function line({ id, execution_status, sandbox_status, title }: AppConversation): string {
  const status = execution_status ?? sandbox_status.toLowerCase()
  return `${id}  ${status.padEnd(24)}  ${plainLine(title ?? '', 80)}`
}

/** Keys of sandboxes are for programs that ask for them, not for logs and terminals. */
function withoutKey({ session_api_key: _, ...rest }: AppConversation) {
  return rest
}
