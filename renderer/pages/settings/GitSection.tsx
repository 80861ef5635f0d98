import { useState } from 'react'
import { GIT_PROVIDERS, type GitProvider } from '../../../server/api/app-conversations.ts'
import { useStoreTokens } from '../../api/secrets.ts'
import { type ConnectedProviders, tokensWith } from '../../state/provider-tokens.ts'
import { AlertDialog } from '../../ui/AlertDialog.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { notifyDone, notifyError } from '../../ui/toast.ts'
import type { SettingsForm } from './form.ts'
import { Group } from './Group.tsx'
import { Place } from './Place.tsx'
import { ProviderDialog } from './ProviderDialog.tsx'
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

interface ProviderRowProps {
  provider: GitProvider
  connected: ConnectedProviders
  onEdit: () => void
  onRemove: () => void
}

function ProviderRow({ provider, connected, onEdit, onRemove }: ProviderRowProps) {
  const { title, host } = PROVIDER_TITLES[provider]
  const isSet = provider in connected
  return (
    <li className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block">{title}</span>
        <span className="block truncate font-mono text-sm text-faint">{connected[provider] || host}</span>
      </span>
      {isSet ? <Badge tone="good">Token set</Badge> : <Badge>Not set</Badge>}
      <Button size="small" aria-label={`${isSet ? 'Change' : 'Add'} the token of ${title}`} onClick={onEdit}>
        {isSet ? 'Change' : 'Add a token'}
      </Button>
      {isSet ? (
        <Button size="small" look="quiet" aria-label={`Remove the token of ${title}`} onClick={onRemove}>
          Remove
        </Button>
      ) : null}
    </li>
  )
}
