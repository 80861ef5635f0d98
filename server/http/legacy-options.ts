import type { Express } from 'express'
import * as options from '../api/options.ts'
import * as user from '../api/user.ts'
import { LegacyError } from './errors.ts'
import { mount } from './mount.ts'
import type { Services } from './services.ts'

/** What existing clients ask about the server and about the user's git providers. */
export function mountLegacyOptions(app: Express, { system, legacy }: Services): void {
  mount(app, options.getModelOptions, () => [...new Set(system.knownModels().map(({ name }) => name))].sort())
  mount(app, options.getAgentOptions, () => ['CodeActAgent'])
  mount(app, options.getSecurityAnalyzers, () => ['llm'])
  mount(app, options.getConfigOptions, () => CONFIG)
  mount(app, options.getServerInfo, () => legacy.usage.read())
  mountUser(app)
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

/** No provider is asked for anything yet: every answer is the one without a token, a bare text as clients read it. */
function mountUser(app: Express): void {
  const one = () => refuse('Git provider token required. (such as GitHub).')
  mount(app, user.getUserInfo, one)
  mount(app, user.getInstallations, one)
  mount(app, user.getRepositories, one)
  mount(app, user.getBranches, one)
  mount(app, user.searchRepositories, () => refuse('Git provider token required.'))
  mount(app, user.searchBranches, () => refuse('Git provider token required.'))
  mount(app, user.getSuggestedTasks, () => refuse('No providers set.'))
  mount(app, user.getRepositoryMicroagents, () => [])
  mount(app, user.getRepositoryMicroagent, ({ params, query }) =>
    refuse(`Microagent file ${query.file_path} not found in ${params.owner}/${params.repository}`),
  )
}

function refuse(text: string): never {
  throw new LegacyError(401, text)
}
