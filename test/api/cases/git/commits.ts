import type { CaseTable } from '../../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })
const message = 'Say it twice'
const LOST = 'http://host.docker.internal:1/octocat/hello.git'
const pushed = { url: '$remoteUrl', branch: 'feature', sha: '$pushableSha' }

const ofRequest = {
  not_a_repository: of('$bare'),
  not_found: of('$unknownRemote'),
  conflict: of('$detached'),
  provider_token_missing: { needs: ['noToken'] },
  provider_token_invalid: { needs: ['revokedToken'] },
  provider_refused: { needs: ['forbiddenToken'] },
  provider_rate_limited: { needs: ['limitedToken'] },
  provider_unavailable: { ...of('$lostRemote'), needs: ['lostToken'] },
} as const

const onThread = (thread_id: string) => ({
  params: { conversation_id: '$commented', thread_id },
  needs: ['token' as const],
})
const UPDATE = { kind: 'UPDATE_FROM_BASE' }
const SUGGESTED = { start_line: 1, end_line: 1, text: 'once\n' }
const { not_a_repository, not_found: _, conflict: __, ...ofState } = ofRequest

export const COMMIT_CASES: CaseTable = {
  getGitState: {
    success: {
      ...of('$committable'),
      needs: ['token'],
      reply: { branch: 'main', files: [{ path: 'main.txt', staged: null, unstaged: 'UPDATED' }] },
    },
    failures: { not_a_repository: of('$bare'), git_refused: of('$unreadable') },
  },
  downloadPatch: { success: of('$published'), failures: { not_a_repository: of('$bare') } },
  downloadBundle: {
    success: of('$published'),
    failures: { conflict: of('$committable'), not_a_repository: of('$bare'), git_refused: of('$unbundled') },
  },
  commitChanges: {
    success: { ...of('$committable'), body: { message }, reply: { branch: 'main', files: 1 } },
    failures: {
      bad_request: { body: { message, new_branch: '--force' } },
      conflict: { body: { message, amend: true } },
      conversation_running: of('$running'),
      git_refused: { body: { message, scope: 'paths', paths: ['nowhere.txt'] } },
      not_a_repository: of('$bare'),
    },
  },
  draftGitMessage: {
    success: { ...of('$committable'), body: { for: 'commit' }, reply: { title: message, body: 'Once is not enough.' } },
    failures: {
      conflict: { body: { scope: 'staged' } },
      git_refused: { body: { scope: 'paths', paths: ['../elsewhere'] } },
      not_a_repository: of('$bare'),
    },
  },
  pushBranch: {
    success: { ...of('$pushable'), needs: ['token'], body: pushed, reply: { remote: 'origin', branch: 'feature' } },
    failures: {
      conflict: { body: { ...pushed, branch: 'other' } },
      git_refused: { ...of('$diverged'), body: { ...pushed, branch: 'main', sha: '$divergedSha' } },
      provider_token_missing: { needs: ['noToken'] },
      provider_token_invalid: { needs: ['revokedToken'] },
      provider_unavailable: { ...of('$lostRemote'), needs: ['lostToken'], body: { ...pushed, url: LOST } },
      not_a_repository: of('$bare'),
    },
  },
  findPullRequest: {
    success: { ...of('$requested'), needs: ['token'], reply: { git_provider: 'github', title: message, base: 'main' } },
    failures: ofRequest,
  },
  getPullRequestStatus: {
    success: { ...of('$requested'), needs: ['token'], reply: { state: 'OPEN', branch: 'requested', merge: 'READY' } },
    failures: { ...ofState, not_found: of('$unknownRemote') },
  },
  startPullRequestTask: {
    success: { ...of('$requested'), needs: ['token'], body: UPDATE },
    failures: {
      ...ofState,
      not_a_repository,
      not_found: { ...of('$published'), needs: ['token'] },
      conflict: { ...of('$requested'), needs: ['token'], body: { kind: 'FIX_CHECKS' } },
      git_refused: { ...of('$requestedIntoNothing'), needs: ['token'] },
    },
  },
  answerReviewThread: {
    success: { ...onThread('$reviewThread'), body: { text: 'It is mended.' } },
    failures: { ...ofState, not_found: onThread('gone'), git_refused: { body: { text: 'refuse this' } } },
  },
  applySuggestion: {
    success: { ...onThread('$suggestingThread'), body: SUGGESTED },
    failures: {
      ...ofState,
      not_a_repository: { params: { conversation_id: '$bare', thread_id: 'any' } },
      not_found: onThread('gone'),
      conflict: { body: { ...SUGGESTED, text: 'never\n' } },
      conversation_running: { params: { conversation_id: '$running', thread_id: 'any' } },
    },
  },
  resolveReviewThread: {
    success: { ...onThread('$reviewThread'), body: { resolved: true } },
    failures: { ...ofState, not_found: onThread('gone'), git_refused: onThread('$commentOnWhole') },
  },
  openPullRequest: {
    success: {
      ...of('$published'),
      needs: ['token'],
      body: { title: message, body: 'Once is not enough.', draft: true },
      reply: { pull_request: { draft: true, base: 'main' }, existing: false },
    },
    failures: { ...ofRequest, git_refused: { ...of('$unrequested'), body: { title: message, base: 'nowhere' } } },
  },
}
