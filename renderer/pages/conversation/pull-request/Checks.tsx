import { Check, LoaderCircle, type LucideIcon, Minus, X } from 'lucide-react'
import type { PullRequestCheck } from '../../../../server/api/v1/git/pull-request-status.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { t } from './text.ts'

const ORDER: readonly PullRequestCheck['state'][] = ['FAILED', 'PENDING', 'PASSED', 'SKIPPED']

const LOOKS: Record<PullRequestCheck['state'], { Icon: LucideIcon; ink: string; word: () => string }> = {
  FAILED: { Icon: X, ink: 'text-bad', word: () => t('failed') },
  PENDING: { Icon: LoaderCircle, ink: 'text-work animate-turn', word: () => t('pending') },
  PASSED: { Icon: Check, ink: 'text-good', word: () => t('passed') },
  SKIPPED: { Icon: Minus, ink: 'text-faint', word: () => t('skipped') },
}

/** Those that fail come first. */
export function Checks({ checks }: { checks: readonly PullRequestCheck[] }) {
  const ordered = [...checks].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <section aria-label={t('checks')} className="flex flex-col gap-1">
      <h3 className="text-faint text-sm">{t('checks')}</h3>
      {checks.length === 0 && <p className="text-soft text-sm">{t('noChecks')}</p>}
      <ul className="flex flex-col gap-1">
        {ordered.map(check => (
          <CheckLine key={check.id} check={check} />
        ))}
      </ul>
    </section>
  )
}

function CheckLine({ check: { name, state, description, url } }: { check: PullRequestCheck }) {
  const { Icon, ink, word } = LOOKS[state]
  return (
    <li className="flex items-baseline gap-2">
      <span role="img" aria-label={word()} title={word()} className="shrink-0 self-center">
        <Icon size={13} strokeWidth={2.5} aria-hidden className={ink} />
      </span>
      <span className="min-w-0 shrink-0 max-w-[70%] truncate" title={name}>
        {url ? <ExternalLink href={url}>{name}</ExternalLink> : name}
      </span>
      <span className="min-w-0 flex-1 truncate text-faint text-sm" title={description ?? undefined}>
        {description}
      </span>
    </li>
  )
}
