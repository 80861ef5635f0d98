import type { GitBranch, GitRepository, GitUser, SuggestedTask } from '../../../api/v1/git/data.ts'
import type { PullRequests } from './pull-requests.ts'

/** A page of a provider, from 1, of at most 100. */
export interface PageNumber {
  page: number
  perPage: number
}

export interface Listed<Item> {
  items: Item[]
  hasNext: boolean
  /** How many there are on all pages; null when the provider does not say. */
  total: number | null
}

export interface RepositorySearch extends PageNumber {
  text: string
  sort: string
  order: string
}

export interface RepositoryFile {
  name: string
  path: string
}

/**
 * What can be asked of a provider for one stored token. Repositories are `owner/name`, with folders in between at GitLab.
 * Everything throws AppError: provider_token_invalid, provider_refused, provider_rate_limited, provider_unavailable, and
 * not_found for a repository or file that the token does not show.
 */
export interface Forge {
  user(): Promise<GitUser>
  /** Undefined at providers that have nothing of the kind. */
  installations?(page: PageNumber): Promise<Listed<string>>
  /** The user's repositories, the last pushed first. */
  repositories(page: PageNumber & { sort: string; installation: string | null }): Promise<Listed<GitRepository>>
  searchRepositories(search: RepositorySearch): Promise<Listed<GitRepository>>
  repository(name: string): Promise<GitRepository>
  branches(repository: string, page: PageNumber): Promise<Listed<GitBranch>>
  searchBranches(repository: string, text: string, page: PageNumber): Promise<Listed<GitBranch>>
  suggestedTasks(): Promise<SuggestedTask[]>
  /** Files right in a folder of the default branch, up to 100. */
  folder(repository: string, path: string): Promise<RepositoryFile[]>
  /** When the path was last changed, in ISO 8601; null when it never was. */
  changedAt(repository: string, path: string): Promise<string | null>
  file(repository: string, path: string): Promise<string>
  /** Named merge requests at GitLab. */
  pullRequests: PullRequests
}

export function listed<Item>(items: Item[], hasNext: boolean, total: number | null = null): Listed<Item> {
  return { items, hasNext, total }
}

export function bySlash(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** ISO 8601 with a time zone, of what a provider calls a date. */
export function isoDate(text: string | number | null | undefined): string | null {
  const date = new Date(text ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
