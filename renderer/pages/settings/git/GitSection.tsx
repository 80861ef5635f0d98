import { useState } from 'react'
import { GIT_PROVIDERS, type GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { useStoreTokens } from '../../../api/secrets.ts'
import { type ConnectedProviders, tokensWith } from '../../../state/settings/provider-tokens.ts'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { Place } from '../form/Place.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { ProviderDialog } from './ProviderDialog.tsx'
import { ProviderRow } from './ProviderRow.tsx'
import { PROVIDER_TITLES } from './provider-titles.ts'

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
