import type { PublishPlan } from '../api/event/publish.ts'

/** The way of a conversation's branch to its provider, with a token that the sandbox never sees. */
export interface WorkPublisher {
  /** Whether there may be a repository of a provider at all, whose token is stored. */
  isPossible(): boolean
  /** @throws AppError in words when the branch cannot be sent at all */
  plan(signal: AbortSignal): Promise<PublishPlan>
  /** @throws AppError conflict when the branch is not as planned any more, git_refused, provider_* */
  push(plan: PublishPlan, signal: AbortSignal): Promise<void>
  /** Of a branch that the remote has. @throws AppError conflict when the remote or branch is not as planned any more, provider_* */
  openRequest(
    plan: PublishPlan,
    request: { title: string; body: string; base: string | null; draft: boolean },
    signal: AbortSignal,
  ): Promise<{ url: string; number: number; existing: boolean }>
}
