import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AppConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import type { SandboxUsage } from '../../../../server/api/v1/sandbox/engine-storage.ts'
import { conversationListQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { engineStorageQuery } from '../../../api/storage.ts'
import { titleOf } from '../../../state/conversation/list.ts'
import { formatBytes } from '../../../state/format.ts'
import { sandboxState } from '../../../state/words.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { StateBadge } from '../../../ui/StateDot.tsx'
import { LoadingRows } from '../form/RowList.tsx'
import { t } from './text.ts'

const SHOWN = 8

/** The largest of them; they are deleted where all of them are. */
export function SandboxSizes({ engineId }: { engineId: string }) {
  const client = useClient()
  const { data: engine, isPending } = useQuery(engineStorageQuery(client, engineId))
  const { data: list } = useInfiniteQuery(conversationListQuery(client, ''))
  const conversations = list?.pages.flatMap(page => page.items) ?? []
  if (isPending) return <LoadingRows label={t('measuringSandboxes')} />
  const sandboxes = engine?.sandboxes ?? []
  const total = sandboxes.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <div className="flex flex-col gap-3">
      {sandboxes.length === 0 ? (
        <p className="rounded-md border border-line px-3 py-4 text-center text-faint">{t('noSandboxes')}</p>
      ) : (
        <ul aria-label={t('sizesOfSandboxes')} className="rounded-md border border-line">
          {sandboxes.slice(0, SHOWN).map(usage => (
            <SandboxLine
              key={usage.sandbox_id}
              usage={usage}
              conversation={conversations.find(({ sandbox_id }) => sandbox_id === usage.sandbox_id)}
            />
          ))}
        </ul>
      )}
      {sandboxes.length > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-soft">{t('bytesInAll', { bytes: formatBytes(total) })}</p>
          <Link to="/sandboxes" className={buttonClass()}>
            {t('openSandboxes')}
          </Link>
        </div>
      ) : null}
    </div>
  )
}

function SandboxLine({ usage, conversation }: { usage: SandboxUsage; conversation: AppConversation | undefined }) {
  return (
    <li className="flex items-center gap-3 border-b border-line px-3 py-2 last:border-b-0">
      <span className="min-w-0 flex-1">
        {conversation ? (
          <Link
            to="/conversations/$conversationId"
            params={{ conversationId: conversation.id }}
            className="block truncate underline-offset-2 hover:text-accent hover:underline"
          >
            {titleOf(conversation)}
          </Link>
        ) : (
          <span className="block text-faint">{usage.is_used ? t('conversation') : t('noConversation')}</span>
        )}
        <span className="block truncate font-mono text-xs text-faint">{usage.sandbox_id}</span>
      </span>
      <StateBadge state={sandboxState(usage.status)} />
      <span className="w-16 text-end tabular text-soft">{formatBytes(usage.bytes)}</span>
    </li>
  )
}
