import { useState } from 'react'
import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import type { SignInRequest, useStartSignIn } from '../../../api/git-sign-ins.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { usePreference } from '../../../state/settings/preference.ts'
import { draftProblems } from '../../../state/settings/provider-tokens.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { t } from './text.ts'

export interface SignInFormProps {
  provider: GitProvider
  /** Of the stored token; null is the provider's own, or none is stored. */
  host: string | null
  start: Pick<ReturnType<typeof useStartSignIn>, 'isPending' | 'error'>
  onStart: (request: SignInRequest) => void
  onClose: () => void
}

export function SignInForm({ provider, host: storedHost, start, onStart, onClose }: SignInFormProps) {
  const { title, host: ownHost, signIn } = PROVIDER_TITLES[provider]
  const [clientId, rememberClientId] = usePreference(`git-sign-in.${provider}.client-id`, '')
  const [draft, setDraft] = useState({ host: storedHost ?? '', clientId })
  const [tried, setTried] = useState(false)
  const client_id = draft.clientId.trim()
  const host = draft.host.trim()
  const { host: hostProblem } = draftProblems({ token: '', host }, true)
  function submit() {
    setTried(true)
    if (client_id === '' || hostProblem) return
    rememberClientId(client_id)
    onStart({ provider, host: host || null, client_id })
  }
  const applications = signIn && addressAt(host || ownHost, signIn.applicationsPath)
  return (
    <FormDialog
      onClose={onClose}
      title={t('signInToTitle', { title })}
      description={
        <>
          {t('signInSummary')} {signIn?.needs}{' '}
          {applications ? <ExternalLink href={applications}>{t('openApplications')}</ExternalLink> : null}
        </>
      }
      submit={t('continue')}
      onSubmit={submit}
      busy={start.isPending}
      error={start.error}
    >
      <Field
        label={t('clientId')}
        hint={t('clientIdIsNoSecret')}
        error={tried && client_id === '' ? t('giveClientId') : undefined}
      >
        <Input value={draft.clientId} onValueChange={next => setDraft({ ...draft, clientId: next })} mono />
      </Field>
      <Field
        label={t('host')}
        hint={t('onlyForInstallation', { host: ownHost })}
        error={tried ? hostProblem : undefined}
      >
        <Input
          value={draft.host}
          onValueChange={next => setDraft({ ...draft, host: next })}
          placeholder={ownHost}
          mono
        />
      </Field>
    </FormDialog>
  )
}

/** Null while the host is no host. */
function addressAt(host: string, path: string): string | null {
  const base = /^https?:\/\//i.test(host) ? host : `https://${host}`
  return URL.canParse(base) ? new URL(base).href.replace(/\/+$/, '') + path : null
}
