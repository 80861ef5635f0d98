import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, MessageSquare } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import type { SandboxInfo, SandboxStats } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { useSandboxAct } from '../../api/sandboxes.ts'
import { SandboxLog } from '../../components/log/SandboxLog.tsx'
import { PauseQuestion } from '../../components/PauseQuestion.tsx'
import { titleOf } from '../../state/conversation/list.ts'
import { formatBytes, formatPercent } from '../../state/format.ts'
import { sandboxState } from '../../state/words.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { ContextMenu } from '../../ui/overlay/ContextMenu.tsx'
import { copyText } from '../../ui/overlay/copy-text.ts'
import { MenuItem, MenuSeparator } from '../../ui/overlay/Menu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { LastKnownBadge, StateBadge } from '../../ui/StateDot.tsx'
import { DeleteSandbox } from './DeleteSandbox.tsx'
import { type RowAct, type RowQuestion, rowActs } from './row-acts.tsx'
import { SaveAsSpec } from './SaveAsSpec.tsx'
import { t } from './text.ts'

export interface SandboxRowProps {
  sandbox: SandboxInfo
  stats: SandboxStats | null
  /** In bytes; null where the engine has not said. */
  disk: number | 'measuring' | null
  specTitle: string | null
  /** null for the default one. */
  engineName: string | null
  conversations: AppConversation[]
}

const CELL = 'px-2 py-2 align-top'

export function SandboxRow(props: SandboxRowProps) {
  const { sandbox, stats, disk, specTitle, engineName, conversations } = props
  const act = useSandboxAct(sandbox.id)
  const [asked, setAsked] = useState<RowQuestion | null>(null)
  const acts = rowActs({ sandbox, act, onAsk: setAsked })
  return (
    <>
      <ContextMenu
        trigger={<tr className="border-b border-line hover:bg-canvas data-popup-open:bg-canvas" />}
        items={<RowItems acts={acts} sandbox={sandbox} conversations={conversations} />}
      >
        <td className={`${CELL} ps-4`}>
          {sandbox.unreachable ? (
            <LastKnownBadge state={sandboxState(sandbox.status)} />
          ) : (
            <StateBadge state={sandboxState(sandbox.status)} />
          )}
        </td>
        <td className={CELL}>
          <UsedBy sandbox={sandbox} conversations={conversations} />
          <span className="block truncate text-sm text-faint @[900px]:hidden">
            {specTitle ?? sandbox.sandbox_spec_id}
            {engineName === null ? null : ` · ${engineName}`} · <RelativeTime time={sandbox.created_at} />
          </span>
        </td>
        <td className={`${CELL} hidden @[900px]:table-cell`}>
          <span className="block truncate">{specTitle ?? t('imageOfYourOwn')}</span>
          <span className="block truncate font-mono text-xs text-faint" title={sandbox.sandbox_spec_id}>
            {sandbox.sandbox_spec_id}
          </span>
          {engineName === null ? null : <span className="block truncate text-sm text-soft">{engineName}</span>}
        </td>
        <td className={`${CELL} hidden text-soft @[900px]:table-cell`}>
          <RelativeTime time={sandbox.created_at} />
        </td>
        <td className={`${CELL} hidden tabular text-end text-soft @[900px]:table-cell`}>
          {stats ? formatPercent(stats.cpu_percent) : '–'}
        </td>
        <td className={`${CELL} text-end`}>
          <Memory stats={stats} />
        </td>
        <td className={`${CELL} tabular text-end text-soft`}>
          <Disk disk={disk} />
        </td>
        <td className={`${CELL} pe-4`}>
          <div className="flex justify-end gap-1">
            {acts.map(({ name, label, icon, isGoing, disabledReason, run }) => (
              <IconButton
                key={name}
                size="small"
                label={label}
                icon={icon}
                busy={isGoing}
                disabledReason={disabledReason}
                onClick={run}
              />
            ))}
          </div>
          <RowDialogs
            sandbox={sandbox}
            conversations={conversations}
            asked={asked}
            onClose={() => setAsked(null)}
            onConfirm={confirmed => {
              setAsked(null)
              act.mutate(confirmed)
            }}
          />
        </td>
      </ContextMenu>
      {act.error ? (
        <tr>
          <td colSpan={8} className="px-4 py-2">
            <ErrorNotice error={act.error} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** The buttons of the row with their words, and where it leads. */
function RowItems({
  acts,
  sandbox,
  conversations,
}: { acts: RowAct[] } & Pick<SandboxRowProps, 'sandbox' | 'conversations'>) {
  const navigate = useNavigate()
  const last = acts.length - 1
  return (
    <>
      {conversations.map(({ id, title }) => (
        <MenuItem
          key={id}
          icon={<MessageSquare size={14} aria-hidden />}
          onSelect={() => void navigate({ to: '/conversations/$conversationId', params: { conversationId: id } })}
        >
          <span className="block max-w-72 truncate">{titleOf({ title })}</span>
        </MenuItem>
      ))}
      {conversations.length > 0 ? <MenuSeparator /> : null}
      {acts.map(({ name, label, icon, disabledReason, run }, index) => (
        <Fragment key={name}>
          {index === last ? (
            <>
              <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copyText(sandbox.id)}>
                {t('copyId')}
              </MenuItem>
              <MenuSeparator />
            </>
          ) : null}
          <MenuItem danger={name === 'delete'} icon={icon} disabledReason={disabledReason} onSelect={run}>
            {label}
          </MenuItem>
        </Fragment>
      ))}
    </>
  )
}

function Disk({ disk }: Pick<SandboxRowProps, 'disk'>) {
  if (disk === 'measuring') return <span title={t('measuringDisk')}>…</span>
  if (disk === null) return <span title={t('diskUnknown')}>–</span>
  return formatBytes(disk)
}

function UsedBy({ sandbox, conversations }: Pick<SandboxRowProps, 'sandbox' | 'conversations'>) {
  return (
    <>
      {conversations.length === 0 ? <span className="text-faint">{t('none')}</span> : null}
      {conversations.map(conversation => (
        <Link
          key={conversation.id}
          to="/conversations/$conversationId"
          params={{ conversationId: conversation.id }}
          className="block truncate underline-offset-2 hover:text-accent hover:underline"
        >
          {titleOf(conversation)}
        </Link>
      ))}
      <span className="block truncate font-mono text-xs text-faint" title={sandbox.id}>
        {sandbox.id}
      </span>
      {sandbox.status_detail ? <span className="block text-sm text-soft">{sandbox.status_detail}</span> : null}
    </>
  )
}

function Memory({ stats }: { stats: SandboxStats | null }) {
  if (!stats) return <span className="text-soft">–</span>
  const share = stats.memory_limit_bytes > 0 ? Math.min(1, stats.memory_bytes / stats.memory_limit_bytes) : 0
  return (
    <>
      <span className="tabular text-soft">
        {formatBytes(stats.memory_bytes)} <span className="text-faint">/ {formatBytes(stats.memory_limit_bytes)}</span>
      </span>
      <span aria-hidden className="mt-1 ms-auto block h-0.5 w-24 max-w-full rounded-full bg-track">
        <span
          className={`block h-full rounded-full ${share > 0.9 ? 'bg-bad' : 'bg-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </>
  )
}

interface RowDialogsProps extends Pick<SandboxRowProps, 'sandbox' | 'conversations'> {
  asked: RowQuestion | null
  onClose: () => void
  onConfirm: (act: 'pause' | 'delete') => void
}

function RowDialogs({ sandbox, conversations, asked, onClose, onConfirm }: RowDialogsProps) {
  const onOpenChange = (open: boolean) => !open && onClose()
  return (
    <>
      <PauseQuestion open={asked === 'pause'} onOpenChange={onOpenChange} onConfirm={() => onConfirm('pause')} />
      {asked === 'log' && (
        <SandboxLog sandboxId={sandbox.id} isPaused={sandbox.status === 'PAUSED'} onClose={onClose} />
      )}
      {asked === 'save' && <SaveAsSpec sandboxId={sandbox.id} onClose={onClose} />}
      <DeleteSandbox
        open={asked === 'delete'}
        onOpenChange={onOpenChange}
        sandbox={sandbox}
        conversations={conversations}
        onConfirm={() => onConfirm('delete')}
      />
    </>
  )
}
