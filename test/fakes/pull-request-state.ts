import * as published from '@octokit/graphql-schema'
import { buildSchema, type GraphQLSchema, graphqlSync } from 'graphql'
import type { Item, Opened } from './pull-requests.ts'

/** What became of a pull request, whatever its provider calls it. */
export interface FakeState {
  merged?: boolean
  conflict?: boolean
  checks?: { id: number; name: string; passed: boolean | null; log?: string }[]
  reviews?: { author: string; approved: boolean; text: string }[]
  threads?: { path: string | null; line: number | null; resolved: boolean; said: [author: string, text: string][] }[]
}

const SHA = 'c0ffee'.padEnd(40, '0')
const AT = '2026-01-02T03:04:05Z'

type Answer = { status: number; body: unknown; location?: string } | undefined

let schema: GraphQLSchema | undefined

/** GitHub's answer to a query, carried out on its published schema: an unknown field or a value of another type fails. */
function onGithubSchema(source: string, variables: Record<string, unknown>, rootValue: object): unknown {
  schema ??= buildSchema(published.schema.idl, { assumeValidSDL: true })
  return graphqlSync({ schema, source, variableValues: variables, rootValue })
}

export function githubQuery(
  body: string,
  find: (repository: string, number: number) => Opened | undefined,
  base: string,
) {
  const { query, variables } = JSON.parse(body)
  const rootValue = {
    repository: ({ owner, name }: Item) => ({
      pullRequest: ({ number }: Item) => {
        const found = find(`${owner}/${name}`, number)
        return found ? githubItem(found, base) : null
      },
    }),
  }
  return onGithubSchema(query, variables, rootValue)
}

function githubItem({ number, repository, head, base, asked, state = {} }: Opened, address: string): Item {
  const said = (login: string, text: string) => ({
    author: { __typename: 'User', login },
    body: text,
    createdAt: AT,
  })
  const threads = state.threads ?? []
  return {
    number,
    url: `${address}/${repository}/pull/${number}`,
    title: asked.title,
    isDraft: asked.draft ?? false,
    state: state.merged ? 'MERGED' : 'OPEN',
    mergeable: state.conflict ? 'CONFLICTING' : 'MERGEABLE',
    mergeStateStatus: state.conflict ? 'DIRTY' : 'CLEAN',
    baseRefName: base,
    headRefName: head,
    headRefOid: SHA,
    latestReviews: {
      nodes: (state.reviews ?? []).map(({ author, approved, text }) => ({
        ...said(author, text),
        state: approved ? 'APPROVED' : 'CHANGES_REQUESTED',
      })),
    },
    comments: {
      nodes: threads
        .filter(({ path }) => path === null)
        .flatMap(({ said: [first] }, index) => (first ? [{ id: `IC_${index}`, ...said(...first) }] : [])),
    },
    reviewThreads: {
      nodes: threads
        .filter(({ path }) => path !== null)
        .map(({ path, line, resolved, said: all }, index) => ({
          id: `PRRT_${index}`,
          isResolved: resolved,
          path,
          line,
          comments: { nodes: all.map(one => said(...one)) },
        })),
    },
    commits: {
      nodes: [
        {
          commit: {
            statusCheckRollup: state.checks && {
              contexts: {
                nodes: state.checks.map(({ id, name, passed }) =>
                  name.startsWith('ci/')
                    ? {
                        __typename: 'StatusContext',
                        id: `SC_${id}`,
                        context: name,
                        state: passed === null ? 'PENDING' : passed ? 'SUCCESS' : 'FAILURE',
                        description: null,
                        targetUrl: null,
                      }
                    : {
                        __typename: 'CheckRun',
                        databaseId: id,
                        name,
                        status: passed === null ? 'IN_PROGRESS' : 'COMPLETED',
                        conclusion: passed === null ? null : passed ? 'SUCCESS' : 'FAILURE',
                        detailsUrl: `${address}/${repository}/actions/runs/1/job/${id}`,
                        title: null,
                      },
                ),
              },
            },
          },
        },
      ],
    },
  }
}

/** The parts of a merge request of GitLab. */
export function gitlabState(rest: string, { state = {}, ...opened }: Opened, item: Item): Answer {
  const threads = state.threads ?? []
  const ok = (body: unknown) => ({ status: 200, body })
  if (rest === '') {
    return ok({
      ...item,
      state: state.merged ? 'merged' : 'opened',
      sha: SHA,
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
    ...threads.map(({ path, line, resolved, said }, index) => ({
      id: `d${index}`,
      individual_note: path === null,
      notes: said.map(([username, body], at) => ({
        id: at,
        body,
        author: { id: 1, username },
        created_at: AT,
        system: false,
        resolvable: path !== null,
        ...(path === null ? {} : { resolved, position: { new_path: path, new_line: line, position_type: 'text' } }),
      })),
    })),
  ])
}

export function gitlabStatuses({ state = {} }: Opened): Item[] {
  return (state.checks ?? []).map(({ id, name, passed }) => ({
    id,
    sha: SHA,
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
      source: { ...item.source, commit: { type: 'commit', hash: SHA.slice(0, 12) } },
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
  const values = (state.threads ?? []).flatMap(({ path, line, resolved, said }) => {
    const root = id + 1
    return said.map(([author, raw], at) => {
      id++
      return {
        id,
        content: { raw, markup: 'markdown' },
        user: user(author),
        created_on: AT,
        deleted: false,
        ...(path !== null && { inline: { path, from: null, to: line } }),
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
      fromRef: { ...item.fromRef, displayId: head, latestCommit: SHA },
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
  const values = (state.threads ?? []).flatMap(({ path, line, resolved, said: [first, ...rest] }, index) => {
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
        ...(path !== null && { commentAnchor: { path, line, lineType: 'ADDED' } }),
      },
    ]
  })
  return ok({ values: [{ id: 99, action: 'OPENED' }, ...values], isLastPage: true })
}

export function dataCenterBuilds({ state = {} }: Opened): Item {
  return { values: buildsOf(state), isLastPage: true }
}
