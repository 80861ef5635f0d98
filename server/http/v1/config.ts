import type { Express } from 'express'
import * as routes from '../../api/v1/settings/config.ts'
import { pageOf } from '../../paging/page.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

/** What clients of the newer generation ask before they show anything. */
export function mountConfig(app: Express, { system }: Services): void {
  const startedAt = new Date().toISOString()
  mount(app, routes.searchModels, ({ query }) => {
    const models = system.knownModels().map(({ name, provider }) => ({
      provider,
      name: name.slice(provider.length + 1),
      verified: true,
    }))
    const wanted = query.provider__eq
    return pageOf(
      matching(models, query).filter(model => !wanted || model.provider === wanted),
      query,
    )
  })
  mount(app, routes.searchModelProviders, ({ query }) => {
    const names = [...new Set(system.knownModels().map(({ provider }) => provider))]
    return pageOf(
      matching(
        names.map(name => ({ name, verified: true })),
        query,
      ),
      query,
    )
  })
  mount(app, routes.getWebClientConfig, () => ({
    app_mode: 'oss' as const,
    posthog_client_key: null,
    feature_flags: FEATURES,
    providers_configured: [],
    maintenance_start_time: null,
    auth_url: null,
    recaptcha_site_key: null,
    faulty_models: [],
    error_message: null,
    updated_at: startedAt,
    github_app_slug: null,
  }))
}

const FEATURES = {
  enable_billing: false,
  hide_llm_settings: false,
  enable_jira: false,
  enable_jira_dc: false,
  enable_linear: false,
  hide_users_page: true,
  hide_billing_page: true,
  hide_integrations_page: false,
}

function matching<Item extends { name: string; verified: boolean }>(
  items: readonly Item[],
  { query, verified__eq }: { query?: string | null | undefined; verified__eq?: boolean | null | undefined },
): Item[] {
  const part = query?.toLowerCase() ?? ''
  return items.filter(
    ({ name, verified }) => name.toLowerCase().includes(part) && (verified__eq ?? verified) === verified,
  )
}
