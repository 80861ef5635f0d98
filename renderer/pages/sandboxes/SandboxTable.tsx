import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { conversationListQuery, sandboxStatsQuery, specsQuery } from '../../api/queries.ts'
import { enginesQuery } from '../../api/sandbox/engines.ts'
import { useClient } from '../../api/session.ts'
import { SandboxRow } from './SandboxRow.tsx'
import { t } from './text.ts'
import type { DiskUse } from './use-disk-use.ts'

/** The newest first, or those that take the most of the disk. */
export type SandboxOrder = 'age' | 'disk'

interface SandboxTableProps {
  /** The newest first. */
  sandboxes: readonly SandboxInfo[]
  disk: DiskUse
  order: SandboxOrder
  onOrder: (order: SandboxOrder) => void
}

const HEAD = 'px-2 py-2 text-sm font-medium text-faint'

export function SandboxTable({ sandboxes, disk, order, onOrder }: SandboxTableProps) {
  const client = useClient()
  const running = sandboxes.flatMap(({ id, status }) => (status === 'RUNNING' ? [id] : []))
  const { data: stats } = useQuery(sandboxStatsQuery(client, running))
  const { data: specs = [] } = useQuery(specsQuery(client))
  const { data: engines = [] } = useQuery(enginesQuery(client))
  const { data: conversations } = useInfiniteQuery(conversationListQuery(client, ''))
  const users = bySandbox(conversations?.pages.flatMap(page => page.items) ?? [])
  const sizeOf = ({ id }: SandboxInfo) => disk.bytes.get(id) ?? null
  // Sorting keeps the order of those that are alike: what is not measured comes last, the newest first.
  const shown =
    order === 'age' ? sandboxes : [...sandboxes].sort((one, other) => (sizeOf(other) ?? -1) - (sizeOf(one) ?? -1))
  return (
    <table className="w-full table-fixed border-collapse">
      <thead className="border-b border-line">
        <tr>
          <th className={`${HEAD} w-28 ps-4 text-start`}>{t('state')}</th>
          <th className={`${HEAD} text-start`}>{t('conversation')}</th>
          <th className={`${HEAD} hidden text-start @[900px]:table-cell`}>{t('image')}</th>
          <SortHead
            of="age"
            order={order}
            onOrder={onOrder}
            className={`${HEAD} hidden w-20 text-start @[900px]:table-cell`}
          />
          <th className={`${HEAD} hidden w-16 text-end @[900px]:table-cell`}>{t('cpu')}</th>
          <th className={`${HEAD} w-32 text-end`}>{t('memory')}</th>
          <SortHead of="disk" order={order} onOrder={onOrder} className={`${HEAD} w-20 text-end`} />
          <th className={`${HEAD} w-36 pe-4`}>
            <span className="sr-only">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(sandbox => (
          <SandboxRow
            key={sandbox.id}
            sandbox={sandbox}
            stats={sandbox.status === 'RUNNING' ? (stats?.[sandbox.id] ?? null) : null}
            disk={sizeOf(sandbox) ?? (disk.isMeasuring ? 'measuring' : null)}
            specTitle={specs.find(({ id }) => id === sandbox.sandbox_spec_id)?.title ?? null}
            engineName={engines.find(({ id, is_default }) => id === sandbox.engine_id && !is_default)?.name ?? null}
            conversations={users.get(sandbox.id) ?? []}
          />
        ))}
      </tbody>
    </table>
  )
}

interface SortHeadProps extends Pick<SandboxTableProps, 'order' | 'onOrder'> {
  of: SandboxOrder
  className: string
}

/** Of a column that the rows can be sorted by. */
function SortHead({ of, order, onOrder, className }: SortHeadProps) {
  const isSorted = of === order
  // A younger sandbox is a smaller age.
  const direction = of === 'age' ? 'ascending' : 'descending'
  return (
    <th className={className} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        onClick={() => onOrder(of)}
        className={`inline-flex items-center gap-0.5 rounded-sm font-medium hover:text-ink ${isSorted ? 'text-soft' : ''}`}
      >
        {of === 'age' ? t('age') : t('disk')}
        {isSorted ? <ArrowDown size={12} aria-hidden /> : null}
      </button>
    </th>
  )
}

function bySandbox(conversations: AppConversation[]): Map<string, AppConversation[]> {
  const users = new Map<string, AppConversation[]>()
  for (const conversation of conversations) {
    users.set(conversation.sandbox_id, [...(users.get(conversation.sandbox_id) ?? []), conversation])
  }
  return users
}
