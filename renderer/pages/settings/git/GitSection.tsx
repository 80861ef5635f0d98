import { useState } from 'react'
import { GIT_PROVIDERS, type GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { useStoreTokens } from '../../../api/secrets.ts'
import { type ConnectedProviders, tokensWith } from '../../../state/settings/provider-tokens.ts'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { ProviderDialog } from './ProviderDialog.tsx'
import { ProviderRow } from './ProviderRow.tsx'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { SignInDialog } from './SignInDialog.tsx'
import { t } from './text.ts'

export function GitSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <SettingField form={form} field="git_user_name" />
        <SettingField form={form} field="git_user_email" />
      </div>
      <Group title={t('providers')} about={t('tokenLetsAgentClone')}>
        <SettingAnchor name="provider_tokens">
          <Providers connected={form.stored?.provider_tokens_set ?? {}} />
        </SettingAnchor>
      </Group>
    </>
  )
}

/** Kept at once, not with the other settings: each change is checked with its provider. */
function Providers({ connected }: { connected: ConnectedProviders }) {
  const [editing, setEditing] = useState<GitProvider | null>(null)
  const [signingIn, setSigningIn] = useState<GitProvider | null>(null)
  const [removing, setRemoving] = useState<GitProvider | null>(null)
  const store = useStoreTokens()
  function remove(provider: GitProvider) {
    store.mutate(tokensWith(connected, provider, null), {
      onSuccess: () => notifyDone(t('titleTokenIsRemoved', { title: PROVIDER_TITLES[provider].title })),
      onError: notifyError,
      onSettled: () => setRemoving(null),
    })
  }
  return (
    <>
      <ul aria-label={t('gitProviders')} className="rounded-md border border-line">
        {GIT_PROVIDERS.map(provider => (
          <ProviderRow
            key={provider}
            provider={provider}
            connected={connected}
            onEdit={() => setEditing(provider)}
            onSignIn={() => setSigningIn(provider)}
            onRemove={() => setRemoving(provider)}
          />
        ))}
      </ul>
      {editing ? <ProviderDialog provider={editing} connected={connected} onClose={() => setEditing(null)} /> : null}
      {signingIn ? (
        <SignInDialog provider={signingIn} connected={connected} onClose={() => setSigningIn(null)} />
      ) : null}
      <AlertDialog
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title={removing ? t('removeTokenQuestion', { provider: PROVIDER_TITLES[removing].title }) : t('removeToken')}
        confirm={t('remove')}
        busy={store.isPending}
        onConfirm={() => removing && remove(removing)}
      >
        {t('removedFromKeychainHint')}
      </AlertDialog>
    </>
  )
}
