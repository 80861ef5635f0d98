import type { Express } from 'express'
import * as options from '../../api/legacy/options.ts'
import * as user from '../../api/legacy/user.ts'
import { SECURITY_ANALYZERS } from '../../api/v1/conversation/confirmation.ts'
import type { ProviderTokens } from '../../secret/provider-tokens.ts'
import type { Services } from '../core/services.ts'
import { LegacyError } from '../mount/errors.ts'
import { mount } from '../mount/mount.ts'

/** What existing clients ask about the server and about the user's git providers. */
export function mountLegacyOptions(app: Express, { system, legacy, tokens }: Services): void {
  mount(app, options.getModelOptions, () => [...new Set(system.knownModels().map(({ name }) => name))].sort())
  mount(app, options.getAgentOptions, () => ['CodeActAgent'])
  mount(app, options.getSecurityAnalyzers, () => [...SECURITY_ANALYZERS])
  mount(app, options.getConfigOptions, () => CONFIG)
  mount(app, options.getServerInfo, () => legacy.usage.read())
  mountUser(app, tokens)
}

const CONFIG = {
  APP_MODE: 'oss',
  GITHUB_CLIENT_ID: '',
  POSTHOG_CLIENT_KEY: '',
  FEATURE_FLAGS: {
    ENABLE_BILLING: false,
    HIDE_LLM_SETTINGS: false,
    ENABLE_JIRA: false,
    ENABLE_JIRA_DC: false,
    ENABLE_LINEAR: false,
  },
} as const

/**
 * Without a token every answer is the one that existing clients know, a bare text. With one it says that the providers are
 * not asked, since an empty list would be a lie, in the field that those clients show to a person.
 */
function mountUser(app: Express, tokens: Pick<ProviderTokens, 'rows'>): void {
  const refuse = (text: string): never => {
    throw tokens.rows().length === 0 ? new LegacyError(401, text) : new LegacyError(501, { error: NOT_ASKED })
  }
  const one = () => refuse('Git provider token required. (such as GitHub).')
  mount(app, user.getUserInfo, one)
  mount(app, user.getInstallations, one)
  mount(app, user.getRepositories, one)
  mount(app, user.getBranches, one)
  mount(app, user.searchRepositories, () => refuse('Git provider token required.'))
  mount(app, user.searchBranches, () => refuse('Git provider token required.'))
  mount(app, user.getSuggestedTasks, () => refuse('No providers set.'))
  mount(app, user.getRepositoryMicroagents, () => (tokens.rows().length === 0 ? [] : refuse('')))
  mount(app, user.getRepositoryMicroagent, ({ params, query }) =>
    refuse(`Microagent file ${query.file_path} not found in ${params.owner}/${params.repository}`),
  )
}

const NOT_ASKED =
  'Atelier does not ask git providers for their lists yet. Name a repository as owner/name or by its URL, and a branch by its name.'
