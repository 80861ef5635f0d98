import { useState } from 'react'
import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { useStoreTokens } from '../../../api/secrets.ts'
import { useKeysInMemory } from '../../../api/settings.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { type ConnectedProviders, draftProblems, tokensWith } from '../../../state/settings/provider-tokens.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { t } from './text.ts'

export interface ProviderDialogProps {
  provider: GitProvider
  connected: ConnectedProviders
  onClose: () => void
}

export function ProviderDialog({ provider, connected, onClose }: ProviderDialogProps) {
  const isSet = provider in connected
  const [draft, setDraft] = useState({ token: '', host: connected[provider] ?? '' })
  const [tried, setTried] = useState(false)
  const store = useStoreTokens()
  const storage = useKeysInMemory() ? t('itIsKeptInMemory') : t('itGoesToKeychain')
  const { title, host, needs, tokensAt } = PROVIDER_TITLES[provider]
  const problems = draftProblems(draft, isSet, provider === 'enterprise_sso')
  function submit() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    store.mutate(tokensWith(connected, provider, draft), {
      onSuccess: () => {
        notifyDone(t('titleTokenIsChecked', { title }))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('titleToken', { title })}
      description={
        <>
          {needs} {tokensAt ? <ExternalLink href={tokensAt}>{t('createOne')}</ExternalLink> : null}
        </>
      }
      submit={t('checkAndSave')}
      onSubmit={submit}
      busy={store.isPending}
      error={store.error}
    >
      <Field
        label={t('token')}
        hint={isSet ? t('emptyKeepsStored') : storage}
        error={tried ? problems.token : undefined}
      >
        <Input type="password" value={draft.token} onValueChange={token => setDraft({ ...draft, token })} mono />
      </Field>
      <Field
        label={t('host')}
        hint={provider === 'enterprise_sso' ? t('hostOfServer') : t('onlyForInstallation', { host })}
        error={tried ? problems.host : undefined}
      >
        <Input
          value={draft.host}
          onValueChange={next => setDraft({ ...draft, host: next })}
          placeholder={provider === 'enterprise_sso' ? 'git.example.org' : host}
          mono
        />
      </Field>
    </FormDialog>
  )
}
