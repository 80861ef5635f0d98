import { GIT_PROVIDERS, type GitProvider } from '../../../server/api/v1/conversation/conversations.ts'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import type { ProviderTokens } from '../../../server/api/v1/settings/user-secrets.ts'
import { t } from './text.ts'

/** The providers that have a token, with their host; null is the provider's own. */
export type ConnectedProviders = Readonly<Record<string, string | null>>

/** Those that can be asked: `enterprise_sso` is the server at its host, and nobody without one. */
export function connectedProviders(settings: Pick<SettingsReply, 'provider_tokens_set'> | null): GitProvider[] {
  const set = settings?.provider_tokens_set ?? {}
  return GIT_PROVIDERS.filter(provider => (provider === 'enterprise_sso' ? set[provider] : provider in set))
}

export interface ProviderDraft {
  /** '' keeps the stored token. */
  token: string
  /** '' is the provider's own host. */
  host: string
}

/**
 * The whole map to send, for the service takes it as a whole: the others are named without a token, which keeps theirs.
 * A null draft removes the provider.
 */
export function tokensWith(
  connected: ConnectedProviders,
  provider: GitProvider,
  draft: ProviderDraft | null,
): ProviderTokens {
  const { [provider]: _, ...others } = connected
  const kept = Object.fromEntries(Object.entries(others).map(([name, host]) => [name, { host }]))
  if (draft === null) return kept
  const { token, host } = draft
  return { ...kept, [provider]: { token: token.trim() || null, host: host.trim() || null } }
}

/** What keeps the draft from being checked, by field. */
export function draftProblems(
  draft: ProviderDraft,
  connected: boolean,
  needsHost = false,
): Partial<Record<keyof ProviderDraft, string>> {
  const host = draft.host.trim()
  return {
    ...(draft.token.trim() || connected ? {} : { token: t('pasteToken') }),
    ...(/\s/.test(host) || (needsHost && host === '') ? { host: t('giveHostName') } : {}),
  }
}
