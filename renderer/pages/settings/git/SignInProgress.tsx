import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ExternalLink } from 'lucide-react'
import type { GitSignIn } from '../../../../server/api/v1/git/sign-ins.ts'
import { cancelSignIn, signInQuery } from '../../../api/git-sign-ins.ts'
import { useClient } from '../../../api/session.ts'
import { useNow } from '../../../state/clock.ts'
import { formatDuration } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { openLink } from '../../conversation/link/open-link.ts'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { t } from './text.ts'

export interface SignInProgressProps {
  begun: GitSignIn
  /** Begins anew, with another code. */
  onAgain: () => void
  onClose: () => void
}

/** Shows the code until the person has entered it, and how the sign-in has ended. Closing it cancels what still waits. */
export function SignInProgress({ begun, onAgain, onClose }: SignInProgressProps) {
  const client = useClient()
  const { data, error } = useQuery(signInQuery(client, begun))
  const { title } = PROVIDER_TITLES[begun.provider]
  const isWaiting = data.status === 'pending' && !error
  function close() {
    if (isWaiting) cancelSignIn(client, begun.id)
    onClose()
  }
  const end = data.status === 'succeeded' || isWaiting ? null : { again: onAgain }
  const buttons = (
    <>
      <Button onClick={close}>{isWaiting ? t('cancel') : t('close')}</Button>
      {end ? (
        <Button look="primary" onClick={end.again}>
          {t('tryAgain')}
        </Button>
      ) : null}
    </>
  )
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) close()
      }}
      title={t('signInToTitle', { title })}
      footer={buttons}
    >
      {error ? <ErrorNotice error={error} /> : null}
      {isWaiting ? <Code signIn={data} title={title} /> : null}
      {data.status === 'succeeded' ? (
        <p role="status" className="flex items-start gap-1.5 text-good">
          <CircleCheck size={14} aria-hidden className="mt-0.75 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{t('signedInAs', { title, user: data.user ?? '' })}</span>
        </p>
      ) : null}
      {data.error && !error ? <Notice tone={isWaiting ? 'wait' : 'bad'} what={data.error} /> : null}
    </Dialog>
  )
}

function Code({ signIn, title }: { signIn: GitSignIn; title: string }) {
  const { user_code, verification_uri, expires_at } = signIn
  const now = useNow(1_000)
  const left = Math.max(0, Date.parse(expires_at ?? '') - now)
  const time = formatDuration(Math.ceil(left / 1_000) * 1_000)
  return (
    <>
      <p>{t('enterThisCode', { host: verification_uri ?? '' })}</p>
      <div className="flex items-center justify-center gap-2 rounded-md border border-line bg-raised py-4">
        <output
          aria-label={t('signInCode')}
          className="select-all font-mono text-[28px] leading-9 font-semibold tracking-widest [overflow-wrap:anywhere]"
        >
          {user_code}
        </output>
        <CopyButton text={user_code ?? ''} label={t('copyCode')} />
      </div>
      <Button
        look="primary"
        icon={<ExternalLink size={13} aria-hidden />}
        className="self-center"
        onClick={() => openLink(verification_uri ?? '')}
      >
        {t('openTitle', { title })}
      </Button>
      <p className="flex items-center gap-2 text-sm text-soft">
        <Spinner />
        {t('waitingForYou', { time })}
      </p>
    </>
  )
}
