import { Ban, Check, type LucideIcon, Unplug } from 'lucide-react'
import { useState } from 'react'
import { shownName } from '../../../state/files/tree.ts'
import { type AttemptRow, type AttemptState, placeOf } from '../../../state/network/attempts.ts'
import { Button } from '../../../ui/Button.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { t } from './text.ts'

const SHOWN_AT_FIRST = 12
/** So many do not stand in the way of anything. */
const FEW = 3

export interface AttemptListProps {
  rows: readonly AttemptRow[]
  fixedReason: string | null
  onAllow: (host: string) => void
  onAllowPrivate: (host: string) => void
}

/** What programs tried to reach. What was allowed is folded away, where it is much. */
export function AttemptList({ rows, ...rest }: AttemptListProps) {
  const allowed = rows.filter(({ state }) => state === 'allowed' || state === 'allowed-since')
  const folded = allowed.length > FEW ? allowed : []
  const open = rows.filter(row => !folded.includes(row))
  const list = (some: readonly AttemptRow[], label: string) => <Rows rows={some} label={label} {...rest} />
  return (
    <div>
      <h3 className="mb-1 font-medium">{t('whatItTried')}</h3>
      {rows.length === 0 && <p className="text-faint text-sm">{t('nothingTried')}</p>}
      {open.length > 0 && list(open, t('whatItTried'))}
      {folded.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit cursor-default rounded-sm text-soft text-sm hover:text-ink">
            {t('allowedOnes', { count: folded.length })}
          </summary>
          <div className="mt-1">{list(folded, t('allowedOnes', { count: folded.length }))}</div>
        </details>
      )}
    </div>
  )
}

function Rows({ rows, label, ...rest }: AttemptListProps & { label: string }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <ul aria-label={label} className="rounded-md border border-line">
        {rows.slice(0, all ? rows.length : SHOWN_AT_FIRST).map(row => (
          <Attempt key={row.key} row={row} {...rest} />
        ))}
      </ul>
      {!all && rows.length > SHOWN_AT_FIRST && (
        <Button look="quiet" size="small" className="mt-1" onClick={() => setAll(true)}>
          {t('showAll', { count: rows.length })}
        </Button>
      )}
    </>
  )
}

const STATES: Readonly<Record<AttemptState, { icon: LucideIcon; word: string; ink: string }>> = {
  refused: { icon: Ban, word: t('refused'), ink: 'text-bad' },
  failed: { icon: Unplug, word: t('notReached'), ink: 'text-wait' },
  'allowed-since': { icon: Check, word: t('allowedSince'), ink: 'text-soft' },
  allowed: { icon: Check, word: t('allowed'), ink: 'text-good' },
}

interface AttemptProps extends Omit<AttemptListProps, 'rows'> {
  row: AttemptRow
}

function Attempt({ row, fixedReason, onAllow, onAllowPrivate }: AttemptProps) {
  const { icon: Icon, word, ink } = STATES[row.state]
  const place = placeOf(row)
  const { entry, privateEntry } = row
  return (
    <li className="flex items-start gap-2 border-line border-b py-1.5 ps-2.5 pe-1.5 last:border-b-0">
      <Icon size={14} aria-hidden className={`mt-0.5 shrink-0 ${ink}`} />
      <span className="min-w-0 flex-1">
        {place === null ? (
          <span className="block">{t('addressWithoutName')}</span>
        ) : (
          <bdi dir="ltr" className="block font-mono text-sm [overflow-wrap:anywhere]">
            {shownName(place)}
          </bdi>
        )}
        <span className="block text-faint text-sm">
          <span className={ink}>{word}</span> · {t('times', { count: row.count })} ·{' '}
          <RelativeTime ago time={row.lastAt} />
        </span>
      </span>
      {entry !== null && (
        <Button
          size="small"
          aria-label={t('allowHost', { host: entry })}
          title={entry}
          disabledReason={fixedReason}
          onClick={() => onAllow(entry)}
        >
          {t('allow')}
        </Button>
      )}
      {privateEntry !== null && (
        <Button
          size="small"
          aria-label={t('allowHostAsks', { host: privateEntry })}
          title={privateEntry}
          onClick={() => onAllowPrivate(privateEntry)}
        >
          {t('allowAsks')}
        </Button>
      )}
    </li>
  )
}
