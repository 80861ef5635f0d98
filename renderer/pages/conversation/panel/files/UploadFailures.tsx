import type { UploadState, Uploads } from '../../../../state/files/upload/uploads.ts'
import { problemOf } from '../../../../state/notice/problems.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useFocusHeir } from '../../../../ui/focus-heir.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from './text.ts'

/** More rows would not be read. */
const MAX_ROWS = 100

/** Which files of an upload failed, and why. */
export function UploadFailures({
  state: { uploaded, failures },
  uploads,
  heir,
}: {
  state: Extract<UploadState, { kind: 'failed' }>
  uploads: Uploads
  heir: () => HTMLElement | null
}) {
  const own = useFocusHeir<HTMLDivElement>(heir)
  return (
    <div ref={own} className="flex max-h-60 shrink-0 flex-col gap-2 border-line border-t bg-bad-wash px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <p role="alert" className="min-w-0 flex-1">
          {t('uploadFailed', { failed: failures.length, uploaded })}
        </p>
        {failures.some(({ file }) => file !== null) && (
          <Button size="small" onClick={() => uploads.again()}>
            {t('retry')}
          </Button>
        )}
        <Button size="small" onClick={() => uploads.close()}>
          {t('closeFailures')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label={t('failedFiles')} className="min-h-0 overflow-auto text-sm">
        {failures.slice(0, MAX_ROWS).map(({ path, reason }) => (
          <li key={path} className="flex flex-wrap gap-x-2">
            <span className="font-mono">
              <PathText path={path} />
            </span>
            <span className="text-soft">{problemOf(reason).what}</span>
          </li>
        ))}
        {failures.length > MAX_ROWS && <li>{t('moreFailures', { count: failures.length - MAX_ROWS })}</li>}
      </ul>
    </div>
  )
}
