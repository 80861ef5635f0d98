import type { ModelTest } from '../../../server/api/v1/system/system.ts'
import { formatDuration } from '../../state/format.ts'
import { ErrorNotice, Notice } from '../../ui/ErrorNotice.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { t } from '../text.ts'

export interface ModelTestResultProps {
  pending: boolean
  result: ModelTest | undefined
  error: Error | null
}

/** What came of asking the model, in place of the button's promise. */
export function ModelTestResult({ pending, result, error }: ModelTestResultProps) {
  if (pending) {
    return (
      <p role="status" className="flex items-center gap-2 text-soft">
        <Spinner />
        {t('askingModelOneShortQuestion')}
      </p>
    )
  }
  if (error) return <ErrorNotice error={error} />
  if (!result) return null
  if (!result.ok) return <Notice what={t('testFailed')} meaning={result.message} />
  return (
    <p role="status" className="rounded-md bg-good-wash px-3 py-2 text-good">
      {t('modelAnswered', { model: result.model, duration: formatDuration(result.latency_ms) })}
    </p>
  )
}
