import { useState } from 'react'
import { GIT_PROVIDERS, type GitProvider } from '../../../server/api/app-conversations.ts'
import { useStoreTokens } from '../../api/secrets.ts'
import { type ConnectedProviders, tokensWith } from '../../state/provider-tokens.ts'
import { AlertDialog } from '../../ui/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../ui/toast.ts'
import type { SettingsForm } from './form.ts'
import { Group } from './Group.tsx'
import { Place } from './Place.tsx'
import { ProviderDialog } from './ProviderDialog.tsx'
import { ProviderRow } from './ProviderRow.tsx'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { SettingField } from './SettingField.tsx'

export function GitSection({ form }: { form: SettingsForm }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <SettingField form={form} field="git_user_name" />
        <SettingField form={form} field="git_user_email" />
      </div>
      <Group
        title="Providers"
        about="A token lets the agent clone and push where you may. It is checked with the provider, then goes to the keychain; git gets it call by call, and no address or file in a sandbox holds it."
      >
        <Place name="provider_tokens">
          <Providers connected={form.stored?.provider_tokens_set ?? {}} />
        </Place>
      </Group>
    </>
  )
}

/** Kept at once, not with the other settings: each change is checked with its provider. */
function Providers({ connected }: { connected: ConnectedProviders }) {
  const [editing, setEditing] = useState<GitProvider | null>(null)
  const [removing, setRemoving] = useState<GitProvider | null>(null)
  const store = useStoreTokens()
  // No token of it can be confirmed, so it is shown only where another client has stored one.
  const shown = GIT_PROVIDERS.filter(provider => provider !== 'enterprise_sso' || provider in connected)
  function remove(provider: GitProvider) {
    store.mutate(tokensWith(connected, provider, null), {
      onSuccess: () => notifyDone(`The ${PROVIDER_TITLES[provider].title} token is removed.`),
      onError: notifyError,
      onSettled: () => setRemoving(null),
    })
  }
  return (
    <>
      <ul aria-label="Git providers" className="rounded-md border border-line">
        {shown.map(provider => (
          <ProviderRow
            key={provider}
            provider={provider}
            connected={connected}
            onEdit={() => setEditing(provider)}
            onRemove={() => setRemoving(provider)}
          />
        ))}
      </ul>
      {editing ? <ProviderDialog provider={editing} connected={connected} onClose={() => setEditing(null)} /> : null}
      <AlertDialog
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title={`Remove the token${removing ? ` of ${PROVIDER_TITLES[removing].title}` : ''}?`}
        confirm="Remove"
        busy={store.isPending}
        onConfirm={() => removing && remove(removing)}
      >
        It is removed from the keychain. The token itself stays valid until you revoke it at the provider.
      </AlertDialog>
    </>
  )
}
