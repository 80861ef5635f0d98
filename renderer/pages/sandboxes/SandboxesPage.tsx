import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { EngineEntry } from '../../../server/api/v1/system/engines.ts'
import { sandboxListQuery } from '../../api/queries.ts'
import { enginesQuery } from '../../api/sandbox/engines.ts'
import { useClient } from '../../api/session.ts'
import { formatBytes } from '../../state/format.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { DeleteUnused } from './DeleteUnused.tsx'
import { NewSandbox } from './NewSandbox.tsx'
import { type SandboxOrder, SandboxTable } from './SandboxTable.tsx'
import { t } from './text.ts'
import { type DiskUse, useDiskUse } from './use-disk-use.ts'

export function SandboxesPage() {
  const client = useClient()
  const list = useInfiniteQuery(sandboxListQuery(client))
  const { data: engines } = useQuery(enginesQuery(client))
  const [creating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const [order, setOrder] = useState<SandboxOrder>('age')
  const sandboxes = list.data ?? []
  const disk = useDiskUse(sandboxes)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  // The largest may be among those that are not loaded yet.
  useEffect(() => {
    if (order === 'disk' && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [order, hasNextPage, isFetchingNextPage, fetchNextPage])
  const running = sandboxes.filter(({ status, unreachable }) => status === 'RUNNING' && !unreachable).length
  const create = (
    <Button
      icon={<Plus size={14} aria-hidden />}
      disabledReason={engines?.every(isAway) ? t('engineIsNotAvailable') : null}
      onClick={() => setCreating(true)}
    >
      {t('newSandbox')}
    </Button>
  )
  return (
    <>
      <Toolbar
        title={t('sandboxes')}
        detail={
          list.data ? [t('sandboxCount', { count: sandboxes.length, running }), ...inAll(disk)].join(' · ') : null
        }
      >
        {sandboxes.length > 0 ? (
          <>
            <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => setDeleting(true)}>
              {t('deleteUnusedAsks')}
            </Button>
            {create}
          </>
        ) : null}
      </Toolbar>
      <div className="@container min-h-0 flex-1 overflow-y-auto">
        {list.isPending ? <Skeleton label={t('loadingSandboxes')} lines={5} className="p-4" /> : null}
        {list.isError ? (
          <div className="max-w-160 p-4">
            <ErrorNotice error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
          </div>
        ) : null}
        {list.isSuccess && sandboxes.length === 0 ? (
          <EmptyState title={t('noSandboxes')} action={create}>
            {t('eachConversationStartsSandbox')}
          </EmptyState>
        ) : null}
        {sandboxes.length > 0 ? (
          <SandboxTable sandboxes={sandboxes} disk={disk} order={order} onOrder={setOrder} />
        ) : null}
        {hasNextPage ? (
          <Button look="quiet" className="m-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('showMoreSandboxes')}
          </Button>
        ) : null}
      </div>
      <NewSandbox open={creating} onOpenChange={setCreating} />
      {deleting ? (
        <DeleteUnused
          engineIds={(engines ?? []).filter(engine => !isAway(engine)).map(({ id }) => id)}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </>
  )
}

const isAway = ({ status }: EngineEntry) => status.state === 'unavailable'

/** Of what is shown, once it is measured. */
function inAll({ bytes }: DiskUse): string[] {
  if (bytes.size === 0) return []
  return [t('bytesOnDisk', { bytes: formatBytes([...bytes.values()].reduce((sum, each) => sum + each, 0)) })]
}
