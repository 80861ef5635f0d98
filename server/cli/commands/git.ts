import type { RouteBodyInput } from '../../api/contract/route.ts'
import { commitChanges, getGitState, pushBranch } from '../../api/v1/git/commits.ts'
import { draftGitMessage } from '../../api/v1/git/drafts.ts'
import {
  getPullRequestStatus,
  type PullRequestStatus,
  startPullRequestTask,
} from '../../api/v1/git/pull-request-status.ts'
import { openPullRequest } from '../../api/v1/git/pull-requests.ts'
import type { Atelier } from '../../client/atelier.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { plainLine } from '../output/plain-text.ts'
import type { Session } from '../session.ts'
import { findConversation } from './conversations.ts'

export interface CommitOptions {
  message?: string
  branch?: string
  staged?: boolean
  amend?: boolean
}

export interface PullRequestOptions {
  title?: string
  body?: string
  base?: string
  reviewer?: string[]
  draft?: boolean
  yes?: boolean
  status?: boolean
  task?: keyof typeof TASKS
}

/** What the agent can be asked to do about a pull request, by the word for it here. */
export const TASKS = {
  'fix-checks': 'FIX_CHECKS',
  'address-review': 'ADDRESS_REVIEW',
  'update-from-base': 'UPDATE_FROM_BASE',
} as const

/** Without a message the model drafts one; an amended commit keeps its own. */
export async function commit(
  session: Session,
  id: string,
  paths: readonly string[],
  { message, branch, staged, amend = false }: CommitOptions,
): Promise<ExitCode> {
  const { terminal, signal } = session
  const { atelier, params } = await find(session, id)
  if (staged && paths.length > 0) {
    throw new CommandError(EXIT.usage, 'A commit is made of files, or of what is staged; name one of them.')
  }
  if (branch === '') throw new CommandError(EXIT.usage, 'The new branch has no name. Name it, or leave out --branch.')
  const scope = paths.length > 0 ? 'paths' : staged ? 'staged' : 'all'
  const files: CommitFiles = { scope, paths: [...paths] }
  const words = message === '-' ? await terminal.input() : message
  const text = words ?? (amend ? null : await draft(session, atelier, params, files))
  const body = { message: text, ...files, amend, new_branch: branch }
  const made = await atelier.call(commitChanges, { params, body, signal })
  const said = text ?? (await atelier.call(getGitState, { params, signal })).message ?? ''
  if (terminal.isJson) terminal.json({ ...made, message: said })
  else terminal.print(`${made.sha.slice(0, SHORT)} ${plainLine(said.split('\n')[0] ?? '')}`)
  const count = made.files === 1 ? '1 file' : `${made.files} files`
  terminal.say(made.branch ? `${count} on the branch ${plainLine(made.branch)}.` : `${count} on no branch.`, 'dim')
  return EXIT.done
}

/** What is pushed is shown first, and nothing else is pushed. */
export async function push(session: Session, id: string, { yes = false }: { yes?: boolean }): Promise<ExitCode> {
  const { terminal, signal } = session
  const { atelier, params } = await find(session, id)
  const { remote, branch, head, ahead, message, push_problem } = await atelier.call(getGitState, { params, signal })
  if (push_problem !== null || !remote || !branch || !head) {
    throw new CommandError(EXIT.refused, plainLine(push_problem ?? 'There is nothing to push.'))
  }
  const commits = ahead === 1 ? '1 commit' : `${ahead} commits`
  terminal.say(`${commits} of the branch ${plainLine(branch)} to ${plainLine(remote.url)}`)
  terminal.say(`${head.slice(0, SHORT)} ${plainLine(message?.split('\n')[0] ?? '')}`, 'dim')
  await terminal.confirm('Push them?', { isYes: yes, signal })
  const pushed = await atelier.call(pushBranch, { params, body: { url: remote.url, branch, sha: head }, signal })
  if (terminal.isJson) terminal.json(pushed)
  else terminal.print(`${plainLine(pushed.remote)}/${plainLine(pushed.branch)} ${pushed.sha.slice(0, SHORT)}`)
  return EXIT.done
}

/** Opens one, shows what became of it, or lets the agent bring it on. */
export async function pullRequest(session: Session, id: string, options: PullRequestOptions): Promise<ExitCode> {
  const { terminal, signal } = session
  const { atelier, params } = await find(session, id)
  if (options.status) return showStatus(session, atelier, params)
  if (options.task) {
    await atelier.call(startPullRequestTask, { params, body: { kind: TASKS[options.task] }, signal })
    terminal.say(`The agent works on it. Watch it with \`atelier attach ${params.conversation_id}\`.`)
    return EXIT.done
  }
  const { title, body } = await pullRequestText(session, atelier, params, options)
  terminal.say(plainLine(title), 'bold')
  if (body) terminal.say(body)
  const { remote, branch } = await atelier.call(getGitState, { params, signal })
  const url = remote?.url ?? null
  if (url && branch) terminal.say(`From ${plainLine(branch)} at ${plainLine(url)}`, 'dim')
  await terminal.confirm('Open the pull request?', { isYes: options.yes ?? false, signal })
  const { base, draft: isDraft = false, reviewer: reviewers } = options
  const asked = { url, branch, title, body, base, draft: isDraft, reviewers }
  const {
    pull_request,
    existing,
    reviewers_problem: problem,
  } = await atelier.call(openPullRequest, { params, body: asked, signal })
  if (terminal.isJson) terminal.json({ ...pull_request, existing, reviewers_problem: problem })
  else terminal.print(plainLine(pull_request.url))
  if (existing) terminal.say('The branch had this pull request already; its text stays as it is.', 'dim')
  if (problem) terminal.say(`The reviewers were not asked: ${plainLine(problem)}`, 'yellow')
  return EXIT.done
}

const SHORT = 10

type CommitFiles = Pick<RouteBodyInput<typeof draftGitMessage>, 'scope' | 'paths'>

type Params = { conversation_id: string }

async function find(session: Session, id: string): Promise<{ atelier: Atelier; params: Params }> {
  const { atelier, conversation } = await findConversation(session, id)
  return { atelier, params: { conversation_id: conversation.id } }
}

async function draft(
  { terminal, signal }: Session,
  atelier: Atelier,
  params: Params,
  files: CommitFiles,
): Promise<string> {
  terminal.say('The model drafts the message…', 'dim')
  const { title, body } = await atelier.call(draftGitMessage, { params, body: { for: 'commit', ...files }, signal })
  return body ? `${title}\n\n${body}` : title
}

async function pullRequestText(
  { terminal, signal }: Session,
  atelier: Atelier,
  params: Params,
  { title, body, base }: PullRequestOptions,
): Promise<{ title: string; body: string }> {
  const given = body === '-' ? await terminal.input() : body
  if (title !== undefined) return { title, body: given ?? '' }
  terminal.say('The model drafts the text…', 'dim')
  const drafted = await atelier.call(draftGitMessage, { params, body: { for: 'pull_request', base }, signal })
  return { title: drafted.title, body: given ?? drafted.body }
}

async function showStatus({ terminal, signal }: Session, atelier: Atelier, params: Params): Promise<ExitCode> {
  const status = await atelier.call(getPullRequestStatus, { params, signal })
  if (!status) throw new CommandError(EXIT.refused, 'The branch has no pull request. Open one with `atelier pr`.')
  if (terminal.isJson) {
    terminal.json(status)
    return EXIT.done
  }
  for (const [name, value] of linesOf(status)) terminal.print(`${name}: ${plainLine(value)}`)
  return EXIT.done
}

function linesOf({ pull_request, state, merge, checks, reviews, threads }: PullRequestStatus): [string, string][] {
  const open = threads.filter(({ resolved }) => !resolved)
  return [
    ['url', pull_request.url],
    ['title', pull_request.title],
    ['state', `${pull_request.draft && state === 'OPEN' ? 'draft' : state.toLowerCase()} into ${pull_request.base}`],
    ...(merge && state === 'OPEN' ? [['merge', merge.toLowerCase()] as [string, string]] : []),
    ...checks.map((check): [string, string] => ['check', `${check.state.toLowerCase()} ${check.name}`]),
    ...reviews.map((review): [string, string] => [
      'review',
      `${review.state.toLowerCase().replace('_', ' ')} by ${review.author}`,
    ]),
    ...open.map(({ path, line, comments }): [string, string] => [
      'comment',
      `${path ?? 'the whole'}${line === null ? '' : `:${line}`} ${comments[0]?.text.split('\n')[0] ?? ''}`,
    ]),
  ]
}
