import type { ReviewThread } from '../../../../server/api/v1/git/pull-request-status.ts'
import type { OnChange } from './Suggestions.tsx'
import { ThreadView } from './ThreadView.tsx'
import { t } from './text.ts'

/** Those whose line is not shown; each says where it is. */
export function OtherThreads({ threads, onChange }: { threads: readonly ReviewThread[]; onChange: OnChange }) {
  if (threads.length === 0) return null
  return (
    <section aria-label={t('elsewhereInFile')} className="flex flex-col gap-3 border-line border-b p-3">
      <h3 className="text-faint text-sm">{t('elsewhereInFile')}</h3>
      {threads.map(thread => (
        <div key={thread.id}>
          {thread.path !== null && thread.line !== null && (
            <p className="font-mono text-faint text-sm">
              {t('onLine', { path: thread.path, line: String(thread.line) })}
            </p>
          )}
          <ThreadView thread={thread} onChange={onChange} />
        </div>
      ))}
    </section>
  )
}
