import type { Express } from 'express'
import * as user from '../../api/legacy/user.ts'
import type { GitRepository } from '../../api/v1/git/data.ts'
import { listMicroagents, readMicroagent } from '../../git-providers/api/microagents.ts'
import type { Services } from '../core/services.ts'
import { LegacyError } from '../mount/errors.ts'
import { mount } from '../mount/mount.ts'
import { withLegacyRefusal } from './refusals.ts'

const DEFAULT_PER_PAGE = 30

/** Git data in the older shapes, of one provider or of all. */
export function mountLegacyGitData(app: Express, { gitData }: Pick<Services, 'gitData'>): void {
  const asked = <T>(work: () => Promise<T>, withoutToken = 'Git provider token required. (such as GitHub).') =>
    withProvider(() => gitData.hasProviders(), withoutToken, work)
  const searched = <T>(work: () => Promise<T>) => asked(work, 'Git provider token required.')

  mount(app, user.getUserInfo, ({ signal }) => asked(() => gitData.user(signal)))
  mount(app, user.getInstallations, ({ query, signal }) =>
    asked(async () => (await gitData.allInstallations(query.provider, signal)).items),
  )
  mount(app, user.getRepositories, ({ query, signal }) =>
    asked(async () => {
      const common = {
        provider: query.selected_provider ?? null,
        sort: query.sort,
        installation: query.selected_provider ? (query.installation_id ?? null) : null,
      }
      if (query.page == null && query.per_page == null) return (await gitData.allRepositories(common, signal)).items
      const page = { page: query.page ?? 1, perPage: query.per_page ?? DEFAULT_PER_PAGE }
      const { items, hasNext } = await gitData.repositories({ ...common, ...page }, signal)
      return hasNext ? linked(items, page) : items
    }),
  )
  mount(app, user.searchRepositories, ({ query, signal }) =>
    searched(async () => {
      const { query: text, sort, order, per_page: perPage, selected_provider: provider = null } = query
      return (await gitData.searchRepositories({ provider, text, sort, order, page: 1, perPage }, signal)).items
    }),
  )
  mount(app, user.searchBranches, ({ query, signal }) =>
    searched(async () => {
      const place = { provider: query.selected_provider ?? null, repository: query.repository }
      const page = { page: 1, perPage: query.per_page }
      return (await gitData.searchBranches(place, query.query, page, signal)).items
    }),
  )
  mount(app, user.getBranches, ({ query, signal }) =>
    asked(async () => {
      const { page, per_page } = query
      const place = { provider: null, repository: query.repository }
      const { items, hasNext, total } = await gitData.branches(place, { page, perPage: per_page }, signal)
      return { branches: items, has_next_page: hasNext, current_page: page, per_page, total_count: total }
    }),
  )
  mount(app, user.getSuggestedTasks, ({ signal }) =>
    asked(async () => (await gitData.suggestedTasks(signal)).items, 'No providers set.'),
  )
  mount(app, user.getRepositoryMicroagents, ({ params, signal }) =>
    gitData.hasProviders() ? asked(() => listMicroagents(gitData, nameOf(params), signal)) : [],
  )
  mount(app, user.getRepositoryMicroagent, ({ params, query, signal }) =>
    asked(
      () => readMicroagent(gitData, { repository: nameOf(params), path: query.file_path }, signal),
      `Microagent file ${query.file_path} not found in ${nameOf(params)}`,
    ),
  )
}

/** Without a token the answer is the bare text that existing clients know; a failure is in the field that they show to a person. */
function withProvider<T>(hasProviders: () => boolean, withoutToken: string, work: () => Promise<T>): Promise<T> {
  return withLegacyRefusal(
    () => {
      if (!hasProviders()) throw new LegacyError(401, withoutToken)
      return work()
    },
    error => ({
      status: error.status,
      body: error.code === 'provider_token_missing' ? withoutToken : { error: error.message, code: error.code },
    }),
  )
}

function nameOf({ owner, repository }: { owner: string; repository: string }): string {
  return `${owner}/${repository}`
}

/** Existing clients read the number of the next page in a link of the first repository. */
function linked(
  items: readonly GitRepository[],
  { page, perPage }: { page: number; perPage: number },
): GitRepository[] {
  const link_header = `</api/user/repositories?page=${page + 1}&per_page=${perPage}>; rel="next"`
  return items.map((item, index) => (index === 0 ? { ...item, link_header } : item))
}
