import { Virtuoso } from 'react-virtuoso'
import { joined, nameIn } from '../../../../state/files/tree.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import { useFoundFiles } from './use-found-files.ts'

/** Files of the working directory by words of their path. */
export function FoundFiles({ text, root }: { text: string; root: string }) {
  const { ask } = useOpenConversation()
  const { data, error, refetch } = useFoundFiles(text)
  if (error && !data)
    return (
      <div className="p-3">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Skeleton label={t('loading')} className="p-3" />
  if (data.paths.length === 0) return <EmptyState title={t('nothingFound')} />
  return (
    <>
      <Virtuoso
        className="min-h-0 flex-1"
        data={data.paths}
        computeItemKey={(_, path) => path}
        itemContent={(_, path) => (
          <button
            type="button"
            onClick={() => ask({ file: joined(root, path) })}
            className="flex h-7 w-full items-baseline gap-2 px-3 text-start hover:bg-hover"
          >
            <span className="shrink-0 leading-7">
              <PathText path={nameIn(path)} />
            </span>
            <span className="truncate text-faint text-sm">
              <PathText path={path.slice(0, -nameIn(path).length - 1)} />
            </span>
          </button>
        )}
      />
      {!data.complete && <p className="border-line border-t px-3 py-1.5 text-faint text-sm">{t('moreFound')}</p>}
    </>
  )
}
