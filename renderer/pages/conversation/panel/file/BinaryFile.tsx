import { useQuery } from '@tanstack/react-query'
import { fileHeadQuery } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { hexLines } from '../../../../state/files/kind.ts'
import { formatBytes } from '../../../../state/format.ts'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../files/text.ts'

/** What is no text: how large it is, and how it begins. */
export function BinaryFile({ path }: { path: string }) {
  const { id } = useOpenConversation()
  const { data, error, refetch } = useQuery(fileHeadQuery(useClient(), id, path))
  if (error && !data)
    return (
      <div className="p-4">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Skeleton label={t('loading')} className="p-4" />
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-4">
      <h2 className="font-semibold">{t('binary', { size: formatBytes(data.size) })}</h2>
      <p className="text-soft">{t('binaryHint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="min-h-0 overflow-auto font-mono text-sm">
        {hexLines(data.head).join('\n')}
      </pre>
    </div>
  )
}
