import type { Item, Opened } from './pull-requests.ts'

/** Who is known at every provider; ids as each of them has them. */
const KNOWN = ['ann', 'bob']

const unknown = (message: string) => ({ status: 422, body: { message, errors: [{ message }] } })

/**
 * Asks for reviews, as https://docs.github.com/en/rest/pulls/review-requests, GitLab's and Bitbucket's pull requests take it.
 * Whoever is asked is noted on the request. undefined for a call that is none of these.
 */
export function reviewersAnswer(
  method: string,
  url: URL,
  body: string,
  find: (kind: string, number: number) => Opened | undefined,
): { status: number; body: unknown } | undefined {
  const { pathname, searchParams } = url
  if (method === 'GET' && pathname === '/api/v4/users') {
    const id = KNOWN.indexOf(searchParams.get('username') ?? '')
    return { status: 200, body: id < 0 ? [] : [{ id: id + 1, username: KNOWN[id] }] }
  }
  if (method === 'GET' && /^\/2\.0\/workspaces\/[^/]+\/members$/.test(pathname)) {
    const values = KNOWN.map(nickname => ({ type: 'workspace_membership', user: { uuid: `{${nickname}}`, nickname } }))
    return { status: 200, body: { values, pagelen: 100 } }
  }
  const sent: Item = body === '' ? {} : JSON.parse(body)
  const note = (kind: string, number: string | undefined, names: string[]) => {
    const request = find(kind, Number(number))
    if (!request) return { status: 404, body: {} }
    const stranger = names.find(name => !KNOWN.includes(name))
    if (stranger) return unknown(`Reviews may only be requested from collaborators: ${stranger}`)
    request.reviewers = [...(request.reviewers ?? []), ...names]
    return { status: method === 'POST' ? 201 : 200, body: {} }
  }
  const github = /^\/api\/v3\/repos\/.+\/pulls\/(\d+)\/requested_reviewers$/.exec(pathname)
  if (github && method === 'POST') return note('github', github[1], sent.reviewers)
  const gitlab = /^\/api\/v4\/projects\/[^/]+\/merge_requests\/(\d+)$/.exec(pathname)
  if (gitlab && method === 'PUT')
    return note(
      'gitlab',
      gitlab[1],
      sent.reviewer_ids.map((id: number) => KNOWN[id - 1]),
    )
  const cloud = /^\/2\.0\/repositories\/.+\/pullrequests\/(\d+)$/.exec(pathname)
  if (cloud && method === 'PUT') {
    if (!sent.title) return { status: 400, body: { error: { message: 'title: required key not provided' } } }
    return note(
      'bitbucket',
      cloud[1],
      sent.reviewers.map(({ uuid }: Item) => uuid.slice(1, -1)),
    )
  }
  const dataCenter = /^\/rest\/api\/1\.0\/.+\/pull-requests\/(\d+)\/participants$/.exec(pathname)
  if (dataCenter && method === 'POST' && sent.role === 'REVIEWER')
    return note('dataCenter', dataCenter[1], [sent.user.name])
  return undefined
}
