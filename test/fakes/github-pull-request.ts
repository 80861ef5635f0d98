import * as published from '@octokit/graphql-schema'
import { buildSchema, type GraphQLSchema, graphqlSync } from 'graphql'
import { AT, SHA, type ThreadChange } from './pull-request-state.ts'
import type { Item, Opened } from './pull-requests.ts'

let schema: GraphQLSchema | undefined

/** GitHub's answer to a query, carried out on its published schema: an unknown field or a value of another type fails. */
function onGithubSchema(source: string, variables: Record<string, unknown>, rootValue: object): unknown {
  schema ??= buildSchema(published.schema.idl, { assumeValidSDL: true })
  return graphqlSync({ schema, source, variableValues: variables, rootValue })
}

interface Github {
  find: (repository: string, number: number) => Opened | undefined
  change: (id: string, done: ThreadChange) => { status: number }
}

export function githubQuery(body: string, { find, change }: Github, base: string) {
  const { query, variables } = JSON.parse(body)
  const changed = (id: string, done: ThreadChange) => {
    if (change(id, done).status !== 200) throw new Error('The comment is locked.')
    return { thread: { id }, comment: { id: 'PRRC_1' } }
  }
  const rootValue = {
    repository: ({ owner, name }: Item) => ({
      pullRequest: ({ number }: Item) => {
        const found = find(`${owner}/${name}`, number)
        return found ? githubItem(found, base) : null
      },
    }),
    addPullRequestReviewThreadReply: ({ input }: Item) =>
      changed(input.pullRequestReviewThreadId, { text: input.body }),
    resolveReviewThread: ({ input }: Item) => changed(input.threadId, { resolved: true }),
    unresolveReviewThread: ({ input }: Item) => changed(input.threadId, { resolved: false }),
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
    state: state.merged ? 'MERGED' : state.closed ? 'CLOSED' : 'OPEN',
    mergeable: state.conflict ? 'CONFLICTING' : 'MERGEABLE',
    mergeStateStatus: state.conflict ? 'DIRTY' : 'CLEAN',
    baseRefName: base,
    headRefName: head,
    headRefOid: state.sha ?? SHA,
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
        .map(({ path, line, start, outdated, resolved, said: all }) => ({
          id: `PRRT_${number}_${threads.findIndex(one => one.said === all)}`,
          isResolved: resolved,
          path,
          startLine: start ?? null,
          diffSide: 'RIGHT',
          isOutdated: outdated !== undefined,
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
