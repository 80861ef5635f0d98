import type { Express } from 'express'
import * as routes from '../../api/v1/settings/secrets.ts'
import { getSettingsV1, getUser, resetSettings, storeSettingsV1 } from '../../api/v1/settings/settings.ts'
import type { Services } from '../core/services.ts'
import { withLegacyErrors } from '../legacy/errors.ts'
import { LegacyError } from '../mount/errors.ts'
import { mount } from '../mount/mount.ts'

/** Custom secrets, provider tokens and the settings they belong to, in both generations. */
export function mountSecrets(app: Express, services: Services): void {
  mountLegacySecrets(app, services)
  mountLegacyTokens(app, services)
  mountSecretsV1(app, services)
  mountSettingsV1(app, services)
}

function mountLegacySecrets(app: Express, { secrets }: Services): void {
  mount(app, routes.listSecrets, () =>
    withLegacyErrors({ status: 401, error: 'Failed to get secret names' }, async () => ({
      custom_secrets: await secrets.list(),
    })),
  )
  mount(app, routes.createSecret, ({ body }) =>
    withLegacyErrors({ error: 'Something went wrong creating secret' }, async () => {
      await secrets.create(body)
      return { message: 'Secret created successfully' }
    }),
  )
  mount(app, routes.updateSecret, ({ params, body }) =>
    withLegacyErrors({ error: 'Something went wrong updating secret' }, async () => {
      await secrets.update(params.secret_id, body)
      return { message: 'Secret updated successfully' }
    }),
  )
  mount(app, routes.deleteSecret, ({ params }) =>
    withLegacyErrors({ error: 'Something went wrong deleting secret' }, async () => {
      await secrets.delete(params.secret_id)
      return { message: 'Secret deleted successfully' }
    }),
  )
}

function mountLegacyTokens(app: Express, { tokens }: Services): void {
  mount(app, routes.storeProviderTokens, ({ body, signal }) =>
    withLegacyErrors({ error: 'Something went wrong storing git providers' }, async () => {
      await tokens.replace(body.provider_tokens, signal)
      return { message: 'Git providers stored' }
    }),
  )
  mount(app, routes.unsetProviderTokens, () =>
    withLegacyErrors({ error: 'Something went wrong unsetting tokens' }, async () => {
      await tokens.clear()
      return { message: 'Unset Git provider tokens' }
    }),
  )
}

function mountSecretsV1(app: Express, { secrets, tokens }: Services): void {
  mount(app, routes.searchSecretsV1, ({ query }) => secrets.search(query))
  mount(app, routes.createSecretV1, ({ body }) => secrets.create(body))
  mount(app, routes.storeProviderTokensV1, async ({ body, signal }) => {
    await tokens.replace(body.provider_tokens, signal)
    return { message: 'Git providers stored' }
  })
  mount(app, routes.unsetProviderTokensV1, async () => {
    await tokens.clear()
    return { message: 'Unset Git provider tokens' }
  })
  mount(app, routes.testProviderToken, ({ params, signal }) => tokens.test(params.provider, signal))
  mount(app, routes.updateSecretV1, ({ params, body }) => secrets.update(params.secret_id, body))
  mount(app, routes.deleteSecretV1, async ({ params }) => {
    await secrets.delete(params.secret_id)
    return { success: true }
  })
}

function mountSettingsV1(app: Express, { settings }: Services): void {
  mount(app, getSettingsV1, () => settings.reply())
  mount(app, storeSettingsV1, async ({ body }) => {
    await settings.save(body)
    return settings.reply()
  })
  mount(app, getUser, () => settings.user())
  mount(app, resetSettings, () => {
    throw new LegacyError(410, { error: 'Reset settings functionality has been removed.' })
  })
}
