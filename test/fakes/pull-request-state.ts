import type { Item, Opened } from './pull-requests.ts'

/** What became of a pull request, whatever its provider calls it. */
export interface FakeState {
  /** Its last commit, where a test looks for that. */
  sha?: string | undefined
  merged?: boolean
  /** Without being merged, at GitHub. */
  closed?: boolean
  conflict?: boolean
  checks?: { id: number; name: string; passed: boolean | null; log?: string }[]
  reviews?: { author: string; approved: boolean; text: string }[]
  threads?: {
    path: string | null
    line: number | null
    resolved: boolean
    said: [author: string, text: string][]
    start?: number
    /** The commit that it is of, when that is not the last one. */
    outdated?: string
  }[]
}

export const SHA = 'c0ffee'.padEnd(40, '0')
export const AT = '2026-01-02T03:04:05Z'

type Answer = { status: number; body: unknown; location?: string } | undefined

export interface ThreadChange {
  text?: string
  resolved?: boolean
}

/** Which thread a request changes, and how; undefined for a request that changes none. */
export function changeOf(
  kind: string,
  method: string,
  rest: string,
  body: string,
  { state = {} }: Opened,
): { index: number; done: ThreadChange } | undefined {
  if (method === 'GET') return undefined
  const sent: Item = body ? JSON.parse(body) : {}
  const [, , id = '', act = ''] = rest.split('/')
  if (kind === 'gitlab' && rest.startsWith('/discussions/')) {
    const index = Number(id.slice(1))
    if (method === 'POST' && act === 'notes') return { index, done: { text: sent.body } }
    return method === 'PUT' ? { index, done: { resolved: sent.resolved } } : undefined
  }
  if (!rest.startsWith('/comments')) return undefined
  if (kind === 'bitbucket') {
    const roots = (state.threads ?? []).map((_, at, all) => 1 + all.slice(0, at).flatMap(({ said }) => said).length)
    if (act === 'resolve') return { index: roots.indexOf(Number(id)), done: { resolved: method === 'POST' } }
    return { index: roots.indexOf(sent.parent.id), done: { text: sent.content.raw } }
  }
  if (method === 'POST') return { index: sent.parent.id / 100, done: { text: sent.text } }
  return sent.version === 0 ? { index: Number(id) / 100, done: { resolved: sent.threadResolved } } : undefined
}

/** The parts of a merge request of GitLab. */
export function gitlabState(rest: string, { state = {}, ...opened }: Opened, item: Item): Answer {
  const threads = state.threads ?? []
  const ok = (body: unknown) => ({ status: 200, body })
  if (rest === '') {
    return ok({
      ...item,
      state: state.merged ? 'merged' : 'opened',
      sha: state.sha ?? SHA,
      has_conflicts: state.conflict ?? false,
      detailed_merge_status: state.conflict ? 'conflict' : 'mergeable',
      source_branch: opened.head,
    })
  }
  if (rest === '/approvals') {
    const approved = (state.reviews ?? []).filter(({ approved }) => approved)
    return ok({ approved: true, approved_by: approved.map(({ author }) => ({ user: { id: 1, username: author } })) })
  }
  if (rest === '/reviewers') {
    return ok(
      (state.reviews ?? []).map(({ author, approved }) => ({
        user: { id: 1, username: author },
        state: approved ? 'reviewed' : 'requested_changes',
        created_at: AT,
      })),
    )
  }
  if (rest !== '/discussions') return undefined
  const noted = { id: 9, body: 'added 1 commit', author: { username: 'system' }, created_at: AT, system: true }
  return ok([
    { id: 'd-system', individual_note: true, notes: [{ ...noted, resolvable: false }] },
    ...threads.map(({ path, line, resolved, said, outdated }, index) => ({
      id: `d${index}`,
      individual_note: path === null,
      notes: said.map(([username, body], at) => ({
        id: at,
        body,
        author: { id: 1, username },
        created_at: AT,
        system: false,
        resolvable: path !== null,
        ...(path === null
          ? {}
          : {
              resolved,
              position: {
                head_sha: outdated ?? state.sha ?? SHA,
                new_path: path,
                new_line: line,
                position_type: 'text',
              },
            }),
      })),
    })),
  ])
}

export function gitlabStatuses({ state = {} }: Opened): Item[] {
  return (state.checks ?? []).map(({ id, name, passed }) => ({
    id,
    sha: state.sha ?? SHA,
    name,
    status: passed === null ? 'running' : passed ? 'success' : 'failed',
    allow_failure: false,
    description: null,
    target_url: `https://gitlab.example/jobs/${id}`,
    author: { id: 1, username: 'tanuki' },
  }))
}

const buildsOf = ({ checks = [] }: FakeState) =>
  checks.map(({ id, name, passed }) => ({
    key: `build-${id}`,
    name,
    state: passed === null ? 'INPROGRESS' : passed ? 'SUCCESSFUL' : 'FAILED',
    description: null,
    url: `https://ci.example/${id}`,
  }))

/** The parts of a pull request of Bitbucket Cloud. */
export function cloudState(rest: string, { state = {} }: Opened, item: Item): Answer {
  const ok = (body: unknown) => ({ status: 200, body })
  const user = (nickname: string) => ({ type: 'user', nickname, display_name: nickname })
  if (rest === '') {
    return ok({
      ...item,
      state: state.merged ? 'MERGED' : 'OPEN',
      source: { ...item.source, commit: { type: 'commit', hash: (state.sha ?? SHA).slice(0, 12) } },
      participants: (state.reviews ?? []).map(({ author, approved }) => ({
        type: 'participant',
        user: user(author),
        role: 'REVIEWER',
        approved,
        state: approved ? 'approved' : 'changes_requested',
        participated_on: AT,
      })),
    })
  }
  if (rest === '/statuses') return ok({ values: buildsOf(state) })
  if (rest !== '/comments') return undefined
  let id = 0
  const values = (state.threads ?? []).flatMap(({ path, line, start, outdated, resolved, said }) => {
    const root = id + 1
    return said.map(([author, raw], at) => {
      id++
      return {
        id,
        content: { raw, markup: 'markdown' },
        user: user(author),
        created_on: AT,
        deleted: false,
        ...(path !== null && {
          inline: {
            path,
            from: null,
            to: line,
            ...(start && { start_to: start }),
            ...(outdated && { outdated: true }),
          },
        }),
        ...(at > 0 && { parent: { id: root } }),
        ...(at === 0 && resolved && { resolution: { type: 'comment_resolution', user: user(author) } }),
      }
    })
  })
  return ok({ values, pagelen: 100 })
}

/** The parts of a pull request of Bitbucket Data Center. */
export function dataCenterState(rest: string, { state = {}, head, base }: Opened, item: Item): Answer {
  const ok = (body: unknown) => ({ status: 200, body })
  if (rest === '') {
    return ok({
      ...item,
      state: state.merged ? 'MERGED' : 'OPEN',
      fromRef: { ...item.fromRef, displayId: head, latestCommit: state.sha ?? SHA },
      toRef: { ...item.toRef, displayId: base },
      reviewers: (state.reviews ?? []).map(({ author, approved }) => ({
        user: { name: author, id: 1 },
        role: 'REVIEWER',
        approved,
        status: approved ? 'APPROVED' : 'NEEDS_WORK',
      })),
    })
  }
  if (rest === '/merge') {
    const conflicted = state.conflict ?? false
    return ok({ canMerge: !conflicted, conflicted, outcome: conflicted ? 'CONFLICTED' : 'CLEAN', vetoes: [] })
  }
  const one = /^\/comments\/(\d+)$/.exec(rest)?.[1]
  if (one) return ok({ id: Number(one), version: 0 })
  if (rest !== '/activities') return undefined
  const comment = (id: number, [name, text]: [string, string], resolved: boolean, answers: Item[]): Item => ({
    id,
    version: 0,
    text,
    author: { name, id: 1 },
    createdDate: Date.parse(AT),
    state: 'OPEN',
    threadResolved: resolved,
    comments: answers,
  })
  const values = (state.threads ?? []).flatMap(({ path, line, outdated, resolved, said: [first, ...rest] }, index) => {
    if (!first) return []
    const answers = rest.reduceRight<Item[]>(
      (below, said, at) => [comment(100 * index + at + 1, said, resolved, below)],
      [],
    )
    return [
      {
        id: index,
        action: 'COMMENTED',
        commentAction: 'ADDED',
        comment: comment(100 * index, first, resolved, answers),
        ...(path !== null && {
          commentAnchor: { path, line, lineType: 'ADDED', fileType: 'TO', orphaned: outdated !== undefined },
        }),
      },
    ]
  })
  return ok({ values: [{ id: 99, action: 'OPENED' }, ...values], isLastPage: true })
}

export function dataCenterBuilds({ state = {} }: Opened): Item {
  return { values: buildsOf(state), isLastPage: true }
}
