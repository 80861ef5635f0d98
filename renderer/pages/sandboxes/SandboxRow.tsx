import { Link } from '@tanstack/react-router'
import { Package, Pause, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { refusalReason, UNREACHABLE } from '../../../server/api/v1/sandbox/actions.ts'
import type { SandboxInfo, SandboxStats } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { useSandboxAct } from '../../api/sandboxes.ts'
import { PauseQuestion } from '../../components/PauseQuestion.tsx'
import { titleOf } from '../../state/conversation/list.ts'
import { formatBytes, formatPercent } from '../../state/format.ts'
import { sandboxState } from '../../state/words.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { LastKnownBadge, StateBadge } from '../../ui/StateDot.tsx'
import { DeleteSandbox } from './DeleteSandbox.tsx'
import { SaveAsSpec } from './SaveAsSpec.tsx'
import { t } from './text.ts'

export interface SandboxRowProps {
  sandbox: SandboxInfo
  stats: SandboxStats | null
  specTitle: string | null
  /** null for the default one. */
  engineName: string | null
  conversations: AppConversation[]
}

const CELL = 'px-2 py-2 align-top'

export function SandboxRow({ sandbox, stats, specTitle, engineName, conversations }: SandboxRowProps) {
  const act = useSandboxAct(sandbox.id)
  return (
    <>
      <tr className="border-b border-line hover:bg-canvas">
        <td className={`${CELL} ps-4`}>
          {sandbox.unreachable ? (
            <LastKnownBadge state={sandboxState(sandbox.status)} />
          ) : (
            <StateBadge state={sandboxState(sandbox.status)} />
          )}
        </td>
        <td className={CELL}>
          <UsedBy sandbox={sandbox} conversations={conversations} />
          <span className="block truncate text-sm text-faint narrow:hidden">
            {specTitle ?? sandbox.sandbox_spec_id}
            {engineName === null ? null : ` · ${engineName}`} · <RelativeTime time={sandbox.created_at} />
          </span>
        </td>
        <td className={`${CELL} hidden narrow:table-cell`}>
          <span className="block truncate">{specTitle ?? t('imageOfYourOwn')}</span>
          <span className="block truncate font-mono text-xs text-faint" title={sandbox.sandbox_spec_id}>
            {sandbox.sandbox_spec_id}
          </span>
          {engineName === null ? null : <span className="block truncate text-sm text-soft">{engineName}</span>}
        </td>
        <td className={`${CELL} hidden text-soft narrow:table-cell`}>
          <RelativeTime time={sandbox.created_at} />
        </td>
        <td className={`${CELL} tabular text-end text-soft`}>{stats ? formatPercent(stats.cpu_percent) : '–'}</td>
        <td className={`${CELL} text-end`}>
          <Memory stats={stats} />
        </td>
        <td className={`${CELL} pe-4`}>
          <SandboxActs sandbox={sandbox} conversations={conversations} act={act} />
        </td>
      </tr>
      {act.error ? (
        <tr>
          <td colSpan={7} className="px-4 py-2">
            <ErrorNotice error={act.error} />
          </td>
        </tr>
      ) : null}
    </>
  )
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

interface SandboxActsProps extends Pick<SandboxRowProps, 'sandbox' | 'conversations'> {
  act: ReturnType<typeof useSandboxAct>
}

function SandboxActs({ sandbox, conversations, act }: SandboxActsProps) {
  const [deleting, setDeleting] = useState(false)
  const [saving, setSaving] = useState(false)
  const [pausing, setPausing] = useState(false)
  const { status, unreachable } = sandbox
  const why = unreachable ? UNREACHABLE : undefined
  const going = act.isPending ? act.variables : null
  const toggle = status === 'PAUSED' ? 'resume' : 'pause'
  return (
    <div className="flex justify-end gap-1">
      <IconButton
        size="small"
        label={toggle === 'resume' ? t('resume') : t('pause')}
        icon={toggle === 'resume' ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        busy={going === toggle}
        disabledReason={why ?? refusalReason(toggle, status)}
        onClick={() => (toggle === 'pause' && sandbox.pause_ends_programs ? setPausing(true) : act.mutate(toggle))}
      />
      <IconButton
        size="small"
        label={t('saveAsSpec')}
        icon={<Package size={14} aria-hidden />}
        disabledReason={why ?? refusalReason('save', status)}
        onClick={() => setSaving(true)}
      />
      <IconButton
        size="small"
        label={t('delete')}
        icon={<Trash2 size={14} aria-hidden />}
        busy={going === 'delete'}
        disabledReason={why ?? refusalReason('delete', status)}
        onClick={() => setDeleting(true)}
      />
      <PauseQuestion
        open={pausing}
        onOpenChange={setPausing}
        onConfirm={() => {
          setPausing(false)
          act.mutate('pause')
        }}
      />
      {saving && <SaveAsSpec sandboxId={sandbox.id} onClose={() => setSaving(false)} />}
      <DeleteSandbox
        open={deleting}
        onOpenChange={setDeleting}
        sandbox={sandbox}
        conversations={conversations}
        onConfirm={() => {
          setDeleting(false)
          act.mutate('delete')
        }}
      />
    </div>
  )
}
