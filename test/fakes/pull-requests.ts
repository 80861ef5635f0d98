import { githubQuery } from './github-pull-request.ts'
import {
  changeOf,
  cloudState,
  dataCenterBuilds,
  dataCenterState,
  type FakeState,
  gitlabState,
  gitlabStatuses,
  type ThreadChange,
} from './pull-request-state.ts'
import { reviewersAnswer } from './reviewers.ts'

/**
 * Pull and merge requests as the providers answer them, in the shapes of https://docs.github.com/en/rest/pulls/pulls,
 * https://docs.gitlab.com/api/merge_requests/, and Bitbucket's https://developer.atlassian.com for Cloud and Data Center.
 * `nobody` has no repository; a base named `nowhere` is refused in the provider's own words.
 */
export class FakePullRequests {
  readonly opened: (Omit<Opened, 'number'> & { kind: string })[] = []
  readonly #base: () => string

  constructor(base: () => string) {
    this.#base = base
  }

  /** undefined for a path that is none of these. */
  answer(method: string, url: URL, body: string): { status: number; body: unknown; location?: string } | undefined {
    const asked = reviewersAnswer(method, url, body, (kind, number) => {
      const found = this.opened[number - 1]
      return found?.kind === kind ? Object.assign(found, { number }) : undefined
    })
    if (asked) return asked
    const state = this.#stateAnswer(method, url, body)
    if (state) return state
    for (const [kind, { path, ...provider }] of Object.entries(PROVIDERS)) {
      const found = path.exec(url.pathname)?.slice(1)
      if (!found) continue
      const repository = decodeURIComponent(found.join('/'))
      if (repository.startsWith('nobody/')) return undefined
      if (method === 'GET') {
        const branch = provider.branch(url.searchParams)
        const items = this.opened
          .map((one, index) => ({ ...one, number: index + 1 }))
          .filter(one => isOpen(one) && one.kind === kind && one.repository === repository && one.head === branch)
        return { status: 200, body: provider.list(items.map(item => provider.item(item, this.#base()))) }
      }
      const asked: Item = JSON.parse(body)
      const { head, base } = provider.read(asked)
      if (base === 'nowhere') return provider.refusal
      this.opened.push({
        kind,
        repository,
        head,
        base,
        asked,
        ...(asked.body?.startsWith(COMMENTED) && { state: comments(asked.body) }),
      })
      const item = { kind, repository, head, base, asked, number: this.opened.length }
      return { status: 201, body: provider.item(item, this.#base()) }
    }
    return undefined
  }

  /** What became of one that is opened, its number being its place. */
  set(number: number, state: FakeState): void {
    const found = this.opened[number - 1]
    if (found) found.state = state
  }

  #change(number: number, index: number, { text, resolved }: ThreadChange): { status: number; body: object } {
    const thread = this.opened[number - 1]?.state?.threads?.[index]
    if (!thread || text === 'refuse this') {
      const message = 'The comment is locked.'
      // As each of them words it.
      return { status: 400, body: { message, error: { message }, errors: [{ message }] } }
    }
    if (text !== undefined) thread.said.push(['me', text])
    if (resolved !== undefined) thread.resolved = resolved
    return { status: 200, body: {} }
  }

  #find(kind: string, repository: string, number: number): Opened | undefined {
    const found = this.opened[number - 1]
    return found?.kind === kind && found.repository === repository ? { ...found, number } : undefined
  }

  #stateAnswer(method: string, url: URL, body: string) {
    const base = this.#base()
    const isGithub = url.pathname === '/api/graphql' && /pullRequest\(number|"mutation/.test(body)
    if (isGithub && method === 'POST') {
      const find = (repository: string, number: number) => this.#find('github', repository, number)
      const change = (id: string, done: ThreadChange) =>
        this.#change(Number(id.split('_')[1]), Number(id.split('_')[2]), done)
      return { status: 200, body: githubQuery(body, { find, change }, base) }
    }
    const whole = /^\/api\/v3\/repos\/[^/]+\/[^/]+\/issues\/(\d+)\/comments$/.exec(url.pathname)?.[1]
    if (whole && method === 'POST') {
      const state = this.opened[Number(whole) - 1]?.state
      state?.threads?.push({ path: null, line: null, resolved: false, said: [['me', JSON.parse(body).body]] })
      return { status: 201, body: { id: 1 } }
    }
    const job = /^\/api\/v3\/repos\/[^/]+\/[^/]+\/actions\/jobs\/(\d+)\/logs$/.exec(url.pathname)?.[1]
    if (job) return { status: 302, body: {}, location: `${base}/logs/${job}` }
    const trace = /^\/api\/v4\/projects\/[^/]+\/jobs\/(\d+)\/trace$|^\/logs\/(\d+)$/.exec(url.pathname)
    if (trace) {
      const log = this.#logOf(Number(trace[1] ?? trace[2]))
      return log === undefined ? undefined : { status: 200, body: log }
    }
    for (const [kind, { one, answer }] of Object.entries(STATES)) {
      const { project, owner, name, number, rest = '' } = one.exec(url.pathname)?.groups ?? {}
      if (number === undefined) continue
      const repository = project === undefined ? `${owner}/${name}` : decodeURIComponent(project)
      const found = this.#find(kind, repository, Number(number))
      const change = found && changeOf(kind, method, rest, body, found)
      if (change) return this.#change(Number(number), change.index, change.done)
      return method === 'GET' ? found && answer(rest, found, PROVIDERS[kind]?.item(found, base) ?? {}) : undefined
    }
    if (method !== 'GET') return undefined
    const [, gitlab, cloud] =
      /^\/api\/v4\/projects\/([^/]+)\/repository\/commits\/\w+\/statuses$|^\/rest\/build-status\/1\.0\/commits\/(\w+)$/.exec(
        url.pathname,
      ) ?? []
    const last = (kind: string) => this.opened.findLast(one => one.kind === kind && one.state !== undefined)
    if (gitlab) return { status: 200, body: gitlabStatuses({ ...emptyOpened, ...last('gitlab') }) }
    if (cloud) return { status: 200, body: dataCenterBuilds({ ...emptyOpened, ...last('dataCenter') }) }
    return undefined
  }

  #logOf(id: number): string | undefined {
    return this.opened.flatMap(({ state }) => state?.checks ?? []).find(check => check.id === id)?.log
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client has written it
export type Item = Record<string, any>

export interface Opened {
  number: number
  repository: string
  head: string
  base: string
  asked: Item
  /** Whether its branch is one of another repository. */
  fork?: boolean
  /** Who was asked to review it. */
  reviewers?: string[]
  state?: FakeState
}

/**
 * How the description of a pull request begins that has comments from the start: on a line, on the whole, and one that
 * suggests a change. Its last commit is the one that the description names.
 */
export const COMMENTED = 'Please look at it.'

const comments = (description: string): FakeState => ({
  sha: /[0-9a-f]{40}/.exec(description)?.[0],
  threads: [
    { path: 'main.txt', line: 1, resolved: false, said: [['ann', 'Why twice?']] },
    { path: null, line: null, resolved: false, said: [['ann', 'Thank you.']] },
    { path: 'main.txt', line: 1, resolved: true, said: [['bob', 'Rather:\n```suggestion\nonce\n```']] },
  ],
})

const isOpen = ({ state }: Pick<Opened, 'state'>) => !state?.merged && !state?.closed

const emptyOpened: Opened = { number: 0, repository: '', head: '', base: '', asked: {} }

const STATES: Record<
  string,
  { one: RegExp; answer: (rest: string, opened: Opened, item: Item) => { status: number; body: unknown } | undefined }
> = {
  gitlab: {
    one: /^\/api\/v4\/projects\/(?<project>[^/]+)\/merge_requests\/(?<number>\d+)(?<rest>\/.+)?$/,
    answer: gitlabState,
  },
  bitbucket: {
    one: /^\/2\.0\/repositories\/(?<owner>[^/]+)\/(?<name>[^/]+)\/pullrequests\/(?<number>\d+)(?<rest>\/.+)?$/,
    answer: cloudState,
  },
  dataCenter: {
    one: /^\/rest\/api\/1\.0\/projects\/(?<owner>[^/]+)\/repos\/(?<name>[^/]+)\/pull-requests\/(?<number>\d+)(?<rest>\/.+)?$/,
    answer: dataCenterState,
  },
}

interface FakeProvider {
  path: RegExp
  branch: (query: URLSearchParams) => string | undefined
  read: (asked: Item) => { head: string; base: string }
  item: (opened: Opened, base: string) => Item
  list: (items: Item[]) => unknown
  refusal: { status: number; body: unknown }
}

const named = (ref: string) => ref.replace('refs/heads/', '')

const PROVIDERS: Record<string, FakeProvider> = {
  github: {
    path: /^\/api\/v3\/repos\/([^/]+)\/([^/]+)\/pulls$/,
    branch: query => (query.get('state') === 'open' ? query.get('head')?.split(':')[1] : undefined),
    read: ({ head, base }) => ({ head, base }),
    item: ({ number, repository, head, base, asked, fork }, address) => ({
      id: 1000 + number,
      number,
      state: 'open',
      html_url: `${address}/${repository}/pull/${number}`,
      title: asked.title,
      body: asked.body,
      draft: asked.draft,
      head: { ref: head, repo: { id: fork ? 2 : 1, full_name: fork ? `other/${repository}` : repository } },
      base: { ref: base, repo: { id: 1, full_name: repository } },
    }),
    list: items => items,
    refusal: {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }],
        documentation_url: 'https://docs.github.com/rest',
      },
    },
  },
  gitlab: {
    path: /^\/api\/v4\/projects\/([^/]+)\/merge_requests$/,
    branch: query => (query.get('state') === 'opened' ? (query.get('source_branch') ?? undefined) : undefined),
    read: ({ source_branch, target_branch }) => ({ head: source_branch, base: target_branch }),
    item: ({ number, repository, head, base, asked, fork }, address) => ({
      id: 1000 + number,
      iid: number,
      state: 'opened',
      web_url: `${address}/${repository}/-/merge_requests/${number}`,
      title: asked.title,
      description: asked.description,
      draft: /^draft:/i.test(asked.title),
      source_branch: head,
      target_branch: base,
      source_project_id: fork ? 2 : 1,
      target_project_id: 1,
    }),
    list: items => items,
    refusal: { status: 409, body: { message: ['Target branch "nowhere" does not exist'] } },
  },
  bitbucket: {
    path: /^\/2\.0\/repositories\/([^/]+)\/([^/]+)\/pullrequests$/,
    branch: query => /^source\.branch\.name = "(.*)" AND state = "OPEN"$/.exec(query.get('q') ?? '')?.[1],
    read: ({ source, destination }) => ({ head: source.branch.name, base: destination.branch.name }),
    item: ({ number, repository, head, base, asked, fork }) => ({
      type: 'pullrequest',
      id: number,
      title: asked.title,
      draft: asked.draft,
      state: 'OPEN',
      source: { branch: { name: head }, repository: { full_name: fork ? `other/${repository}` : repository } },
      destination: { branch: { name: base }, repository: { full_name: repository } },
      links: { html: { href: `https://bitbucket.org/${repository}/pull-requests/${number}` } },
    }),
    list: values => ({ values, pagelen: 1, size: values.length, page: 1 }),
    refusal: { status: 400, body: { type: 'error', error: { message: 'destination: branch not found: nowhere' } } },
  },
  dataCenter: {
    path: /^\/rest\/api\/1\.0\/projects\/([^/]+)\/repos\/([^/]+)\/pull-requests$/,
    branch: query => (query.get('direction') === 'OUTGOING' ? named(query.get('at') ?? '') : undefined),
    read: ({ fromRef, toRef }) => ({ head: named(fromRef.id), base: named(toRef.id) }),
    item: ({ number, repository, head, base, asked, fork }, address) => ({
      id: number,
      version: 0,
      title: asked.title,
      draft: asked.draft,
      state: 'OPEN',
      fromRef: { id: `refs/heads/${head}`, displayId: head, repository: { id: fork ? 2 : 1 } },
      toRef: { id: `refs/heads/${base}`, displayId: base, repository: { id: 1 } },
      links: { self: [{ href: `${address}/projects/${repository.replace('/', '/repos/')}/pull-requests/${number}` }] },
    }),
    list: values => ({ values, size: values.length, limit: 1, isLastPage: true, start: 0 }),
    refusal: {
      status: 409,
      body: { errors: [{ context: null, message: 'The branch nowhere does not exist.', exceptionName: null }] },
    },
  },
}
