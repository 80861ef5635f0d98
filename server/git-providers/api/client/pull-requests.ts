import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import type { ProviderStatus } from './pull-request-status.ts'

/** A pull or merge request, as its provider has it. */
interface PullRequest {
  number: number
  /** Where a person reads it. */
  url: string
  title: string
  draft: boolean
  /** The branch that it is to be merged into. */
  base: string
}

interface NewPullRequest {
  title: string
  body: string
  /** The branch with the work, in the same repository. */
  head: string
  base: string
  draft: boolean
}

/** A thread of a pull request, by the id that its status gives. */
export interface ThreadPlace {
  repository: string
  number: number
  id: string
}

/** One that is open. */
export interface OpenRequest {
  repository: string
  number: number
  title: string
}

/** Everything throws AppError as `Forge` does; opening also git_refused, with what the provider says. */
export interface PullRequests {
  /** The open one from a branch; null when there is none. */
  from(repository: string, branch: string): Promise<PullRequest | null>
  open(repository: string, asked: NewPullRequest): Promise<PullRequest>
  /** Asks people to review it, by their names at the provider. @throws AppError git_refused, for unknown names too */
  askReview(request: OpenRequest, names: readonly string[]): Promise<void>
  /** @throws AppError not_found for a number that is none */
  status(repository: string, number: number): Promise<ProviderStatus>
  /** Adds a comment to a thread. @throws AppError git_refused with what the provider says, also below */
  answer(place: ThreadPlace, text: string): Promise<void>
  resolve(place: ThreadPlace, resolved: boolean): Promise<void>
  /** The end of what a check has printed; null where the provider has no log of it. */
  checkLog(repository: string, id: string): Promise<string | null>
}

/** As a provider lists it: a fork may have a branch of the same name. */
export type ListedPullRequest = PullRequest & { isOwn: boolean }

/** The first from a branch of the repository itself. */
export function ownIn(listed: readonly ListedPullRequest[]): PullRequest | null {
  const found = listed.find(({ isOwn }) => isOwn)
  return found ? withoutOrigin(found) : null
}

export function withoutOrigin({ isOwn: _, ...request }: ListedPullRequest): PullRequest {
  return request
}

/** How many from a branch are looked at; the most that each provider lists at once. */
export const MAX_LISTED = 50

/** @throws AppError git_refused for names that no user has */
export function unknownReviewers(host: string, names: readonly string[]): AppError {
  return new AppError('git_refused', `${host} knows nobody named ${names.join(', ')}. Name others, or ask them there.`)
}

/** A page that a window may open. */
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000)
