import type { CaseTable } from '../../../parts/operation/case.ts'

const ofProvider = {
  provider_token_missing: { needs: ['noToken'] },
  bad_request: { needs: ['misplacedToken'] },
  provider_token_invalid: { needs: ['revokedToken'] },
  provider_refused: { needs: ['forbiddenToken'] },
  provider_rate_limited: { needs: ['limitedToken'] },
  provider_unavailable: { needs: ['lostToken'] },
} as const
const needs = ['token']
const nowhere = { query: { repository: 'nobody/there' } }
const inRepository = { needs, query: { repository: 'octocat/hello' } }
const { provider_token_missing: _, ...withoutTokenEmpty } = ofProvider
const signIn = { provider: 'github', host: '$provider', client_id: 'known-client' }
const noSignIn = { params: { sign_in_id: 'nobody' } }
const elsewhere = { params: { owner: 'nobody', repository: 'there' } }
const here = { needs, params: { owner: 'octocat', repository: 'hello' } }

export const GIT_DATA_CASES: CaseTable = {
  getUserInfo: { success: { needs, reply: { login: 'octocat' } }, failures: ofProvider },
  getInstallations: { success: { needs, query: { provider: 'github' }, reply: ['77'] }, failures: ofProvider },
  getRepositories: {
    success: { needs, query: { page: 1, per_page: 2 }, reply: [{ full_name: 'octocat/hello' }] },
    failures: {
      ...ofProvider,
      not_found: { query: { selected_provider: 'github', page: 1, installation_id: 'unknown' } },
    },
  },
  searchRepositories: {
    success: { needs, query: { query: 'tiger' }, reply: [{ full_name: 'zoo/cats/tiger' }] },
    failures: ofProvider,
  },
  searchBranches: {
    success: { needs, query: { repository: 'octocat/hello', query: 'one' }, reply: [{ name: 'feature/one' }] },
    failures: { ...ofProvider, not_found: { query: { repository: 'nobody/there', query: 'one' } } },
  },
  getBranches: {
    success: { ...inRepository, reply: { branches: [{ name: 'main' }], has_next_page: false } },
    failures: { ...ofProvider, not_found: nowhere },
  },
  getSuggestedTasks: { success: { needs, reply: [{ task_type: 'MERGE_CONFLICTS' }] }, failures: ofProvider },
  getRepositoryMicroagents: {
    success: { ...here, reply: [{ name: '.cursorrules' }] },
    failures: { ...withoutTokenEmpty, not_found: elsewhere },
  },
  getRepositoryMicroagent: {
    success: { ...here, query: { file_path: '.openhands/microagents/deploy.md' }, reply: { triggers: ['deploy'] } },
    failures: { ...ofProvider, not_found: elsewhere },
  },
  getGitInfo: { success: { needs, reply: { login: 'octocat' } }, failures: ofProvider },
  searchGitInstallations: {
    success: { needs, query: { provider: 'github' }, reply: { items: ['77'], next_page_id: null } },
    failures: ofProvider,
  },
  searchGitRepositories: {
    success: { needs, query: { limit: 2 }, reply: { items: [{ full_name: 'octocat/hello' }], next_page_id: '2' } },
    failures: { ...ofProvider, not_found: { query: { provider: 'github', installation_id: 'unknown' } } },
  },
  searchGitBranches: {
    success: {
      needs,
      query: { provider: 'gitlab', repository: 'zoo/cats/tiger', query: 'one' },
      reply: { items: [{ name: 'feature/one' }] },
    },
    failures: { ...ofProvider, not_found: { query: { provider: 'gitlab', repository: 'nobody/there' } } },
  },
  startGitSignIn: {
    success: { body: signIn, reply: { status: 'pending', user_code: 'WDJB-MJHT' } },
    failures: {
      bad_request: { body: { ...signIn, client_id: 'unknown' } },
      provider_unavailable: { body: { ...signIn, host: 'http://127.0.0.1:1' } },
    },
  },
  getGitSignIn: {
    success: { params: { sign_in_id: '$gitSignIn' }, reply: { status: 'pending' } },
    failures: { not_found: noSignIn },
  },
  cancelGitSignIn: {
    success: { params: { sign_in_id: '$gitSignIn' }, reply: { success: true } },
    failures: { not_found: noSignIn },
  },
  searchSuggestedTasks: {
    success: { needs, query: { limit: 1 }, reply: { items: [{ issue_number: 1 }], next_page_id: '1', missing: [] } },
    failures: ofProvider,
  },
}
