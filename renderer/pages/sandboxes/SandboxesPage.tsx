import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import type { EngineEntry } from '../../../server/api/v1/system/engines.ts'
import { conversationListQuery, sandboxListQuery, sandboxStatsQuery, specsQuery } from '../../api/queries.ts'
import { enginesQuery } from '../../api/sandbox/engines.ts'
import { useClient } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { NewSandbox } from './NewSandbox.tsx'
import { SandboxRow } from './SandboxRow.tsx'
import { t } from './text.ts'

export function SandboxesPage() {
  const client = useClient()
  const list = useInfiniteQuery(sandboxListQuery(client))
  const { data: engines } = useQuery(enginesQuery(client))
  const [creating, setCreating] = useState(false)
  const sandboxes = list.data ?? []
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
        detail={list.data ? t('sandboxCount', { count: sandboxes.length, running }) : null}
      >
        {sandboxes.length > 0 ? create : null}
      </Toolbar>
      <div className="min-h-0 flex-1 overflow-y-auto">
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
        {sandboxes.length > 0 ? <SandboxTable sandboxes={sandboxes} /> : null}
        {list.hasNextPage ? (
          <Button look="quiet" className="m-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('showMoreSandboxes')}
          </Button>
        ) : null}
      </div>
      <NewSandbox open={creating} onOpenChange={setCreating} />
    </>
  )
}

const isAway = ({ status }: EngineEntry) => status.state === 'unavailable'

const HEAD = 'px-2 py-2 text-start text-sm font-medium text-faint'

function SandboxTable({ sandboxes }: { sandboxes: SandboxInfo[] }) {
  const client = useClient()
  const running = sandboxes.flatMap(({ id, status }) => (status === 'RUNNING' ? [id] : []))
  const { data: stats } = useQuery(sandboxStatsQuery(client, running))
  const { data: specs = [] } = useQuery(specsQuery(client))
  const { data: engines = [] } = useQuery(enginesQuery(client))
  const { data: conversations } = useInfiniteQuery(conversationListQuery(client, ''))
  const users = bySandbox(conversations?.pages.flatMap(page => page.items) ?? [])
  return (
    <table className="w-full table-fixed border-collapse">
      <thead className="border-b border-line">
        <tr>
          <th className={`${HEAD} w-28 ps-4`}>{t('state')}</th>
          <th className={HEAD}>{t('conversation')}</th>
          <th className={`${HEAD} hidden narrow:table-cell`}>{t('image')}</th>
          <th className={`${HEAD} hidden w-20 narrow:table-cell`}>{t('age')}</th>
          <th className={`${HEAD} w-16 text-end`}>{t('cpu')}</th>
          <th className={`${HEAD} w-32 text-end`}>{t('memory')}</th>
          <th className={`${HEAD} w-28 pe-4`}>
            <span className="sr-only">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sandboxes.map(sandbox => (
          <SandboxRow
            key={sandbox.id}
            sandbox={sandbox}
            stats={sandbox.status === 'RUNNING' ? (stats?.[sandbox.id] ?? null) : null}
            specTitle={specs.find(({ id }) => id === sandbox.sandbox_spec_id)?.title ?? null}
            engineName={engines.find(({ id, is_default }) => id === sandbox.engine_id && !is_default)?.name ?? null}
            conversations={users.get(sandbox.id) ?? []}
          />
        ))}
      </tbody>
    </table>
  )
}

function bySandbox(conversations: AppConversation[]): Map<string, AppConversation[]> {
  const users = new Map<string, AppConversation[]>()
  for (const conversation of conversations) {
    users.set(conversation.sandbox_id, [...(users.get(conversation.sandbox_id) ?? []), conversation])
  }
  return users
}
