import { Square, Stethoscope } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { SystemStatus } from '../../../../server/api/v1/system/system.ts'
import { diagnosisReport } from '../../../../server/client/diagnosis-report.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { CheckRow } from './CheckRow.tsx'
import { t } from './text.ts'
import { type DiagnosisRow, useDiagnosis } from './use-diagnosis.ts'

const LogDialog = lazy(async () => ({ default: (await import('./LogDialog.tsx')).LogDialog }))

/** What Atelier stands on, looked at when a person asks, with what is wrong and what repairs it. */
export function DiagnosisGroup({ system }: { system: Pick<SystemStatus, 'version' | 'platform'> }) {
  const diagnosis = useDiagnosis()
  const [showsLog, setShowsLog] = useState(false)
  const { asked, rows, added, found, isRunning } = diagnosis
  const engineNames = new Map(added.map(({ id, name }) => [id, name]))
  const showLog = () => setShowsLog(true)
  const acts = { onAgain: diagnosis.runOne, onShowLog: showLog }
  const isOf = (id: string | null) => (row: DiagnosisRow) =>
    (engineNames.has(row.engineId) ? row.engineId : null) === id
  return (
    <Group title={t('diagnosis')} about={t('aboutDiagnosis')}>
      <SettingAnchor name="diagnosis" className="flex flex-wrap items-center gap-2">
        {isRunning ? (
          <Button icon={<Square size={12} aria-hidden />} onClick={diagnosis.stop}>
            {t('stop')}
          </Button>
        ) : (
          <Button icon={<Stethoscope size={13} aria-hidden />} onClick={diagnosis.run}>
            {asked ? t('runAgain') : t('diagnose')}
          </Button>
        )}
        <Button look="quiet" onClick={showLog}>
          {t('openLog')}
        </Button>
        {found.length > 0 && !isRunning ? (
          <CopyButton
            label={t('copyReport')}
            text={async () => diagnosisReport(found, { ...system, at: new Date(), engineNames })}
          />
        ) : null}
        <p role="status" className="text-soft">
          {asked ? summary(diagnosis) : null}
        </p>
      </SettingAnchor>
      {asked ? <CheckList name={t('diagnosis')} rows={rows.filter(isOf(null))} {...acts} /> : null}
      {asked
        ? added.map(({ id, name }) => (
            <section key={id} className="flex flex-col gap-1">
              <h3 className="wrap-anywhere font-medium text-soft">
                <bdi>{name}</bdi>
              </h3>
              <CheckList name={t('diagnosisOf', { engine: name })} rows={rows.filter(isOf(id))} {...acts} />
            </section>
          ))
        : null}
      {showsLog ? (
        <Suspense fallback={null}>
          <LogDialog onClose={() => setShowsLog(false)} />
        </Suspense>
      ) : null}
    </Group>
  )
}

interface ListProps {
  name: string
  rows: readonly DiagnosisRow[]
  onAgain: (row: DiagnosisRow) => void
  onShowLog: () => void
}

function CheckList({ name, rows, onAgain, onShowLog }: ListProps) {
  return (
    <ul aria-label={name} className="rounded-md border border-line">
      {rows.map(row => (
        <CheckRow key={row.check} row={row} onAgain={() => onAgain(row)} onShowLog={onShowLog} />
      ))}
    </ul>
  )
}

function summary({ rows, found, isRunning }: ReturnType<typeof useDiagnosis>): string {
  if (isRunning) return t('progress', { done: String(found.length), total: String(rows.length) })
  const count = (state: string) => found.filter(each => each.state === state).length
  const [problems, warnings] = [count('problem'), count('warning')]
  if (problems + warnings === 0) return found.length === rows.length ? t('nothingFound') : ''
  return [problems && t('problemsFound', { count: problems }), warnings && t('warningsFound', { count: warnings })]
    .filter(Boolean)
    .join(' ')
}
