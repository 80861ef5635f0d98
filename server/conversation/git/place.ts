import type { ErrorCode } from '../../api/contract/failures.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type ProviderRemote, providerRemote } from '../../git/remote.ts'
import { type RepositoryFacts, readFacts } from '../../git/state.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { ConversationService } from '../service.ts'
import { noRemote, noToken } from './problems.ts'

interface Dependencies {
  conversations: Pick<ConversationService, 'findOwn'>
  sandboxes: SandboxService
  tokens: TokenSource
}

/** Where a conversation's work can go: a branch, and its repository at a provider. */
export interface Place {
  conversation: Conversation
  facts: RepositoryFacts & { url: string }
  branch: string
  remote: ProviderRemote
  sandbox: SandboxHandle
}

/** By conversation; null where there was none. */
export type SeenPlaces = Map<string, Pick<Place, 'branch' | 'remote'> | null>

const NO_PLACE: ReadonlySet<ErrorCode> = new Set(['not_a_repository', 'conflict', 'provider_token_missing'])
const NO_SANDBOX: ReadonlySet<ErrorCode> = new Set(['sandbox_not_found', 'sandbox_not_running', 'engine_unavailable'])

/** @throws AppError conflict, not_a_repository, provider_token_missing, and those of the sandbox */
export async function placeOf(
  id: string,
  { conversations, sandboxes, tokens }: Dependencies,
  signal: AbortSignal,
): Promise<Place> {
  const conversation = conversations.findOwn(id)
  const sandbox = await sandboxes.open(conversation.sandbox_id, conversation.working_dir)
  return placeIn(sandbox, { conversation, tokens }, signal)
}

/**
 * For what is asked again and again: no use of the sandbox. One that is paused for want of use is as it was.
 * @param seen what it was for each conversation: also that there was none, but not that nobody could look
 * @returns null as `placeIfAny`
 */
export async function placeSeen(
  id: string,
  { seen, ...dependencies }: Dependencies & { seen: SeenPlaces },
  signal: AbortSignal,
): Promise<Pick<Place, 'conversation' | 'branch' | 'remote'> | null> {
  const { conversations, sandboxes, tokens } = dependencies
  const conversation = conversations.findOwn(id)
  const { sandbox_id, working_dir } = conversation
  const look = (sandbox: SandboxHandle) => nullAt(NO_PLACE, placeIn(sandbox, { conversation, tokens }, signal))
  const find = async () => {
    const now = await sandboxes.look(sandbox_id, look, working_dir)
    const place = now === undefined ? seen.get(id) : now
    const known = place === undefined ? await nullAt(NO_PLACE, placeOf(id, dependencies, signal)) : place
    const kept = known && { branch: known.branch, remote: known.remote }
    seen.set(id, kept)
    return kept && { ...kept, conversation }
  }
  return nullAt(NO_SANDBOX, find())
}

async function placeIn(
  sandbox: SandboxHandle,
  { conversation, tokens }: Pick<Place, 'conversation'> & Pick<Dependencies, 'tokens'>,
  signal: AbortSignal,
): Promise<Place> {
  const facts = await readFacts(sandbox, signal)
  if (facts.url === null) throw noRemote()
  const remote = providerRemote(facts.url, tokens)
  if (!remote) throw noToken(facts.url)
  if (facts.branch === null) {
    throw new AppError('conflict', 'No branch is checked out. Commit to a new branch, and push that.')
  }
  return { conversation, facts: { ...facts, url: facts.url }, branch: facts.branch, remote, sandbox }
}

/** null where no branch of a provider is checked out, or the sandbox does not run. */
export async function placeIfAny(id: string, dependencies: Dependencies, signal: AbortSignal): Promise<Place | null> {
  return nullAt(NO_SANDBOX, nullAt(NO_PLACE, placeOf(id, dependencies, signal)))
}

async function nullAt<T>(codes: ReadonlySet<ErrorCode>, place: Promise<T>): Promise<T | null> {
  try {
    return await place
  } catch (error) {
    if (error instanceof AppError && codes.has(error.code)) return null
    throw error
  }
}
