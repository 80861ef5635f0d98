import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import type { GitBranch, GitRepository, GitUser, MissingProvider, SuggestedTask } from '../../api/v1/git/data.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { Forge, Listed, PageNumber, RepositoryFile } from './client/forge.ts'
import { listed } from './client/forge.ts'
import type { Forges } from './forges.ts'
import { repositoryAt, repositoryName } from './repository-address.ts'

/** What several providers have given, and which of them gave nothing. */
export interface Gathered<Item> {
  items: Item[]
  hasNext: boolean
  missing: MissingProvider[]
}

export interface RepositoryQuery extends PageNumber {
  provider: GitProvider | null
  sort?: string
  installation?: string | null
}

export interface SearchQuery extends RepositoryQuery {
  text: string
  order: string
}

/** A repository, and the provider that has it; null is the first one that does. */
export interface Place {
  provider: GitProvider | null
  repository: string
}

const PER_PAGE = 100
const MAX_PAGES = 10

/**
 * What the user has at git providers. Where no provider is named, all are asked whose token is stored.
 * Everything throws AppError as `Forge` does, and unauthorized when there is no token.
 */
export class GitData {
  readonly #forges: Forges
  readonly #log: Log

  constructor({ forges, log }: { forges: Forges; log: Log }) {
    this.#forges = forges
    this.#log = log
  }

  hasProviders(): boolean {
    return this.#forges.names().length > 0
  }

  user(signal: AbortSignal): Promise<GitUser> {
    return this.#first(this.#named(null), signal, forge => forge.user())
  }

  /** @throws AppError bad_request for a provider that has none */
  installations(provider: GitProvider, page: PageNumber, signal: AbortSignal): Promise<Listed<string>> {
    return this.#forges.ask(provider, signal, forge => {
      if (forge.installations) return forge.installations(page)
      throw new AppError('bad_request', `Provider ${provider} doesn't support installations`)
    })
  }

  repositories(query: RepositoryQuery, signal: AbortSignal): Promise<Gathered<GitRepository>> {
    return this.#repositories(query.provider, signal, forge => forge.repositories(listing(query)))
  }

  /** Up to 1000 of each provider. */
  allRepositories(query: Omit<RepositoryQuery, 'page' | 'perPage'>, signal: AbortSignal) {
    return this.#repositories(query.provider, signal, forge =>
      everyPage(page => forge.repositories(listing({ ...query, ...page }))),
    )
  }

  allInstallations(provider: GitProvider, signal: AbortSignal): Promise<Listed<string>> {
    return this.#forges.ask(provider, signal, forge => {
      const { installations } = forge
      if (installations) return everyPage(page => installations(page))
      throw new AppError('bad_request', `Provider ${provider} doesn't support installations`)
    })
  }

  /** An address finds its repository alone, at the provider whose host it names. */
  async searchRepositories(query: SearchQuery, signal: AbortSignal): Promise<Gathered<GitRepository>> {
    const { text, page, perPage, order, sort = 'stars' } = query
    const found = await this.#repositories(query.provider, signal, async (forge, name) => {
      const origin = this.#forges.originOf(name)
      const addressed = origin ? repositoryAt(text, origin) : null
      if (addressed === null) return forge.searchRepositories({ text, sort, order, page, perPage })
      if (addressed === undefined || page > 1) return listed<GitRepository>([], false)
      return listed(await foundOrNothing(forge.repository(addressed)), false)
    })
    return found
  }

  branches(place: Place, page: PageNumber, signal: AbortSignal): Promise<Listed<GitBranch>> {
    return this.#at(place, signal, (forge, name) => forge.branches(name, page))
  }

  searchBranches(place: Place, text: string, page: PageNumber, signal: AbortSignal): Promise<Listed<GitBranch>> {
    return this.#at(place, signal, (forge, name) => forge.searchBranches(name, text, page))
  }

  suggestedTasks(signal: AbortSignal): Promise<Gathered<SuggestedTask>> {
    return this.#gather(this.#named(null), signal, async forge => listed(await forge.suggestedTasks(), false))
  }

  /** Files in a folder, [] when there is none; and the provider that has the repository. */
  async folder(
    place: Place,
    path: string,
    signal: AbortSignal,
  ): Promise<{ files: RepositoryFile[]; changedAt: string | null }> {
    return this.#at(place, signal, async (forge, name) => {
      const [files] = await foundOrNothing(forge.folder(name, path))
      // A repository that is not there has no folder either; only then the next provider is asked.
      if (!files) await forge.repository(name)
      return { files: files ?? [], changedAt: files?.length ? await forge.changedAt(name, path) : null }
    })
  }

  /** @throws AppError not_found */
  file(place: Place, path: string, signal: AbortSignal): Promise<{ text: string; provider: GitProvider }> {
    return this.#at(place, signal, async (forge, name, provider) => ({ text: await forge.file(name, path), provider }))
  }

  async #repositories(
    provider: GitProvider | null,
    signal: AbortSignal,
    work: (forge: Forge, name: GitProvider) => Promise<Listed<GitRepository>>,
  ): Promise<Gathered<GitRepository>> {
    const names = this.#named(provider)
    const found = await this.#gather(names, signal, work)
    return names.length === 1 ? found : { ...found, items: found.items.toSorted(byPush) }
  }

  /** One provider after the other, until one answers. @throws the failure of the first, or one that says more than `not_found` */
  async #first<T>(
    names: readonly GitProvider[],
    signal: AbortSignal,
    work: (forge: Forge, name: GitProvider) => Promise<T>,
  ): Promise<T> {
    const failures: unknown[] = []
    for (const name of names) {
      try {
        return await this.#forges.ask(name, signal, forge => work(forge, name))
      } catch (error) {
        if (!isAppError(error)) throw error
        failures.push(error)
        this.#note(name, error)
      }
    }
    throw failures.find(failure => !isAppError(failure, 'not_found')) ?? failures[0]
  }

  #at<T>(
    { provider, repository }: Place,
    signal: AbortSignal,
    work: (forge: Forge, repository: string, provider: GitProvider) => Promise<T>,
  ): Promise<T> {
    const name = repositoryName(repository)
    return this.#first(this.#named(provider), signal, (forge, provider) => work(forge, name, provider))
  }

  /** All at once; a provider that fails hides none of the others. @throws the first failure, in the words of all, when all fail */
  async #gather<T>(
    names: readonly GitProvider[],
    signal: AbortSignal,
    work: (forge: Forge, name: GitProvider) => Promise<Listed<T>>,
  ): Promise<Gathered<T>> {
    const answers = await Promise.allSettled(
      names.map(name => this.#forges.ask(name, signal, forge => work(forge, name))),
    )
    const lists = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
    const missing = answers.flatMap((answer, index): MissingProvider[] => {
      const name = names[index]
      if (answer.status === 'fulfilled' || !name) return []
      if (!isAppError(answer.reason)) throw answer.reason
      this.#note(name, answer.reason)
      return [{ git_provider: name, code: answer.reason.code, message: answer.reason.message }]
    })
    const failed = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as AppError] : []))
    if (lists.length === 0 && failed[0]) throw inTheWordsOfAll(failed[0], failed)
    return { items: lists.flatMap(({ items }) => items), hasNext: lists.some(({ hasNext }) => hasNext), missing }
  }

  #note(provider: GitProvider, { code, message }: AppError): void {
    if (code !== 'not_found') this.#log.warn({ provider, code, reason: message }, 'A git provider gave no answer')
  }

  /** @throws AppError unauthorized when there is no token */
  #named(provider: GitProvider | null): GitProvider[] {
    const names = this.#forges.names().filter(name => provider === null || name === provider)
    if (names.length > 0) return names
    throw new AppError('provider_token_missing', 'Git provider token required (such as GitHub). Store one first.')
  }
}

/** Each names its provider. */
function inTheWordsOfAll(first: AppError, failures: readonly AppError[]): AppError {
  const message = failures.map(failure => failure.message).join(' ')
  return new AppError(first.code, message, { details: first.details, cause: first })
}

function listing({ page, perPage, sort = 'pushed', installation = null }: RepositoryQuery) {
  return { page, perPage, sort, installation }
}

async function everyPage<Item>(read: (page: PageNumber) => Promise<Listed<Item>>): Promise<Listed<Item>> {
  const items: Item[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const next = await read({ page, perPage: PER_PAGE })
    items.push(...next.items)
    if (!next.hasNext) return listed(items, false, items.length)
  }
  return listed(items, true)
}

/** In a list, so that what is not there is an empty one. */
async function foundOrNothing<T>(asked: Promise<T>): Promise<T[]> {
  try {
    return [await asked]
  } catch (error) {
    if (isAppError(error, 'not_found')) return []
    throw error
  }
}

function byPush(a: GitRepository, b: GitRepository): number {
  return Date.parse(b.pushed_at ?? '1970-01-01') - Date.parse(a.pushed_at ?? '1970-01-01')
}
