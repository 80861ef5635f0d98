import { Link, useRouterState } from '@tanstack/react-router'
import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Problem, problemOf } from '../state/notice/problems.ts'
import { Button, buttonClass } from './Button.tsx'
import { t } from './text.ts'

type Tone = 'bad' | 'wait' | 'plain'

export interface NoticeProps {
  /** `plain` is nothing to be careful about. */
  tone?: Tone
  /** What happened. */
  what: ReactNode
  /** What it means for the work. */
  meaning?: ReactNode
  /** What to do, as buttons where possible. */
  children?: ReactNode
}

export function Notice({ tone = 'bad', what, meaning, children }: NoticeProps) {
  const { box, icon: Icon, color } = LOOKS[tone]
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={`flex gap-2.5 rounded-md border px-3 py-2.5 ${box}`}>
      <Icon size={15} aria-hidden className={`mt-0.5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{what}</p>
        {meaning ? <p className="mt-0.5 break-words text-soft">{meaning}</p> : null}
        {children ? <div className="mt-2 flex flex-wrap gap-2">{children}</div> : null}
      </div>
    </div>
  )
}

const LOOKS = {
  bad: { box: 'border-bad/30 bg-bad-wash', icon: TriangleAlert, color: 'text-bad' },
  wait: { box: 'border-wait/30 bg-wait-wash', icon: TriangleAlert, color: 'text-wait' },
  plain: { box: 'border-line bg-surface', icon: Info, color: 'text-faint' },
} as const satisfies Record<Tone, object>

export interface ErrorNoticeProps {
  error: unknown
  onRetry?: (() => void) | undefined
  retrying?: boolean
  children?: ReactNode
}

/** Anything thrown, in three parts. */
export function ErrorNotice({ error, onRetry, retrying = false, children }: ErrorNoticeProps) {
  const { what, meaning, remedy } = problemOf(error)
  const buttons = onRetry ? (
    <Button size="small" busy={retrying} onClick={onRetry}>
      {t('tryAgain')}
    </Button>
  ) : null
  return (
    <Notice what={what} meaning={meaning}>
      {buttons || children || remedy !== 'none' ? (
        <>
          {buttons}
          {remedy === 'none' ? null : <Remedy remedy={remedy} />}
          {children}
        </>
      ) : null}
    </Notice>
  )
}

const REMEDIES = {
  'model-settings': { section: 'model', title: t('openSettingsModel') },
  system: { section: 'about', title: t('seeWhatToDo') },
  // Where the sandboxes are shown already.
  sandboxes: { section: 'sandbox', title: t('openSettingsSandbox') },
} as const satisfies Record<Exclude<Problem['remedy'], 'none'>, { section: string; title: string }>

function Remedy({ remedy }: { remedy: keyof typeof REMEDIES }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (remedy === 'sandboxes' && path !== '/sandboxes') {
    return (
      <Link to="/sandboxes" className={buttonClass('secondary', 'small')}>
        {t('openSandboxes')}
      </Link>
    )
  }
  const { section, title } = REMEDIES[remedy]
  return (
    <Link to="/settings/$section" params={{ section }} className={buttonClass('secondary', 'small')}>
      {title}
    </Link>
  )
}
