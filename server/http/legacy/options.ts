import type { Express } from 'express'
import * as options from '../../api/legacy/options.ts'
import { SECURITY_ANALYZERS } from '../../api/v1/conversation/confirmation.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

/** What existing clients ask about the server. */
export function mountLegacyOptions(app: Express, { system, legacy }: Services): void {
  mount(app, options.getModelOptions, () => [...new Set(system.knownModels().map(({ name }) => name))].sort())
  mount(app, options.getAgentOptions, () => ['CodeActAgent'])
  mount(app, options.getSecurityAnalyzers, () => [...SECURITY_ANALYZERS])
  mount(app, options.getConfigOptions, () => CONFIG)
  mount(app, options.getServerInfo, () => legacy.usage.read())
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
