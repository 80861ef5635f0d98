import type { SearchReply } from '../../../server/api/v1/system/search.ts'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { t } from './text.ts'

/** What is not found yet, and why. */
export function IndexNote({ index }: { index: SearchReply['index'] | undefined }) {
  if (index?.state === 'building')
    return (
      <p role="status" className="px-4 pt-3 text-soft text-sm">
        {t('indexing', { indexed: index.events_indexed, total: index.events_total })}
      </p>
    )
  if (index?.state !== 'failed') return null
  return (
    <div className="max-w-160 p-4">
      <Notice what={t('indexFailed', { problem: index.problem ?? '' })} />
    </div>
  )
}
