import { useQuery } from '@tanstack/react-query'
import type { GitChange } from '../../../../../server/api/v1/conversation/git-changes.ts'
import { gitDiffQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { DiffView } from '../../timeline/action/DiffView.tsx'
import { t } from '../text.ts'
import { FileRow } from './FileRow.tsx'

/** A file that git sees changed; git tells how when it is opened. */
export function OtherFile({ change: { path, status } }: { change: GitChange }) {
  const marks = (
    <>
      {status === 'ADDED' && <Badge tone="good">{t('new')}</Badge>}
      {status === 'DELETED' && <Badge tone="bad">{t('deleted')}</Badge>}
    </>
  )
  return (
    <FileRow path={path} title={shownName(path)} marks={marks}>
      <Diff path={path} />
    </FileRow>
  )
}

function Diff({ path }: { path: string }) {
  const { id, status } = useOpenConversation()
  const query = gitDiffQuery(useClient(), id, path, status === 'running')
  const { data, error, refetch, isFetching } = useQuery(query)
  if (error && !data)
    return (
      <div className="p-2">
        <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
      </div>
    )
  if (!data) return <Skeleton label={t('loadingChanges')} className="p-3" />
  const { original, modified } = data
  if (original === null || modified === null) return <p className="px-3 pb-2 text-soft">{t('binaryFile')}</p>
  if (original === modified) return <p className="px-3 pb-2 text-soft">{t('fileModeChanged')}</p>
  return <DiffView path={path} before={original ?? ''} after={modified ?? ''} />
}
