import { Check, CircleHelp, type LucideIcon, Minus, TriangleAlert, X } from 'lucide-react'
import type { Diagnosis } from '../../../../server/api/v1/system/diagnosis.ts'
import { EngineSteps } from '../../../components/steps/EngineSteps.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { ModelTest } from './ModelTest.tsx'
import { Repair } from './Repair.tsx'
import { t } from './text.ts'
import type { DiagnosisRow } from './use-diagnosis.ts'
import { CHECK_TITLES, FACT_NAMES, FINDING_WORDS, factValue, STATE_WORDS } from './words.ts'

const SIGNS: Record<Diagnosis['state'], { Icon: LucideIcon; ink: string }> = {
  ok: { Icon: Check, ink: 'text-good' },
  warning: { Icon: TriangleAlert, ink: 'text-wait' },
  problem: { Icon: X, ink: 'text-bad' },
  unknown: { Icon: CircleHelp, ink: 'text-soft' },
  skipped: { Icon: Minus, ink: 'text-faint' },
}

interface Props {
  row: DiagnosisRow
  onAgain: () => void
  onShowLog: () => void
}

export function CheckRow({ row: { check, engineId, found, error, isChecking }, onAgain, onShowLog }: Props) {
  return (
    <li className="flex flex-col gap-2 border-line border-b px-3 py-2 last:border-b-0">
      <div className="flex items-baseline gap-2">
        <Sign found={found} isChecking={isChecking} />
        <div className="min-w-0 flex-1">
          <h4 className="font-medium">{CHECK_TITLES[check]}</h4>
          <p className="wrap-anywhere text-soft">
            {found ? FINDING_WORDS[found.finding] : t(isChecking ? 'checking' : 'notChecked')}
          </p>
        </div>
      </div>
      {error && !isChecking ? <ErrorNotice error={error} onRetry={onAgain} /> : null}
      {found ? (
        <div className="flex flex-col gap-2 ps-6">
          <Facts found={found} />
          {found.steps.length > 0 ? <EngineSteps steps={found.steps} /> : null}
          {found.action ? (
            <Repair action={found.action} engineId={engineId} onRepaired={onAgain} onShowLog={onShowLog} />
          ) : null}
          {check === 'model' && found.finding !== 'model_not_set' ? <ModelTest /> : null}
        </div>
      ) : null}
    </li>
  )
}

function Sign({ found, isChecking }: Pick<DiagnosisRow, 'found' | 'isChecking'>) {
  if (isChecking) return <Spinner size={13} className="shrink-0 self-center text-work" />
  if (!found) return <span className="w-3.5 shrink-0" />
  const { Icon, ink } = SIGNS[found.state]
  const word = STATE_WORDS[found.state]
  return (
    <span role="img" aria-label={word} title={word} className={`w-3.5 shrink-0 translate-y-0.5 ${ink}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
    </span>
  )
}

function Facts({ found: { facts } }: { found: Diagnosis }) {
  if (facts.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-faint text-sm">{t('facts')}</summary>
      <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 text-sm max-narrow:grid-cols-1">
        {facts.map(fact => (
          <div key={fact.name} className="contents">
            <dt className="text-faint">{FACT_NAMES[fact.name]}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <bdi>{factValue(fact)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
