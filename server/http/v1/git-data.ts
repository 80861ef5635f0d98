import type { Express } from 'express'
import * as routes from '../../api/v1/git/routes.ts'
import { suggestedTaskPrompt } from '../../conversation/prompts.ts'
import { AppError } from '../../domain/errors.ts'
import { pageOf } from '../../paging/page.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

/** Lists at git providers. A page id is the number of a page of theirs. */
export function mountGitData(app: Express, { gitData }: Pick<Services, 'gitData'>): void {
  mount(app, routes.getGitInfo, ({ signal }) => gitData.user(signal))
  mount(app, routes.searchGitInstallations, async ({ query, signal }) => {
    const page = pageNumber(query)
    const { items, hasNext } = await gitData.installations(query.provider, page, signal)
    return { items, next_page_id: nextPage(page.page, hasNext) }
  })
  mount(app, routes.searchGitRepositories, async ({ query, signal }) => {
    const page = pageNumber(query)
    const provider = query.provider ?? null
    const { items, hasNext, missing } = query.query
      ? await gitData.searchRepositories({ ...page, provider, text: query.query, ...orderOf(query) }, signal)
      : await gitData.repositories({ ...page, provider, installation: installationOf(query) }, signal)
    return { items, next_page_id: nextPage(page.page, hasNext), missing }
  })
  mount(app, routes.searchGitBranches, async ({ query, signal }) => {
    const page = pageNumber(query)
    const { items, hasNext } = query.query
      ? await gitData.searchBranches(query, query.query, page, signal)
      : await gitData.branches(query, page, signal)
    return { items, next_page_id: nextPage(page.page, hasNext) }
  })
  mount(app, routes.searchSuggestedTasks, async ({ query, signal }) => {
    const { items, missing } = await gitData.suggestedTasks(signal)
    const tasks = items.map(task => {
      const git_provider = task.git_provider ?? 'github'
      return { ...task, git_provider, prompt: suggestedTaskPrompt({ ...task, git_provider }) }
    })
    return { ...pageOf(tasks, query), missing }
  })
}

const MAX_PAGE = 10_000

function pageNumber({ page_id, limit }: { page_id?: string | null | undefined; limit: number }) {
  const page = /^[1-9]\d{0,4}$/.test(page_id ?? '') ? Math.min(Number(page_id), MAX_PAGE) : 1
  return { page, perPage: limit }
}

function nextPage(page: number, hasNext: boolean): string | null {
  return hasNext ? String(page + 1) : null
}

function orderOf({ sort_order }: { sort_order?: string | null | undefined }) {
  const [sort = 'stars', order = 'desc'] = (sort_order ?? 'stars-desc').split('-')
  return { sort, order }
}

/** @throws AppError bad_request for an order that lists do not have */
function installationOf(query: {
  provider?: string | null | undefined
  installation_id?: string | null | undefined
  sort_order?: string | null | undefined
}): string | null {
  if (query.sort_order) {
    throw new AppError('bad_request', 'sort_order orders what query finds. Give a query, or leave sort_order out.')
  }
  return query.provider ? (query.installation_id ?? null) : null
}
