import { Folder, GitBranch, PanelRight } from 'lucide-react'
import type { FolderMode } from '../../../../server/api/v1/conversation/folder/folders.ts'
import { statsOf } from '../../../state/conversation/conversation.ts'
import { contextUse } from '../../../state/conversation/step-costs.ts'
import { folderName, formatCost, formatTokens, repositoryName } from '../../../state/format.ts'
import { executionState } from '../../../state/words.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { StateBadge } from '../../../ui/StateDot.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { PullRequestChip } from '../pull-request/PullRequestChip.tsx'
import { t } from '../text.ts'
import { useFigures } from '../use-figures.ts'
import { ConversationMenu } from './ConversationMenu.tsx'
import { EditableTitle } from './EditableTitle.tsx'
import { ParentLink } from './ParentLink.tsx'
import { RunControls } from './RunControls.tsx'
import { SandboxChip } from './SandboxChip.tsx'
import { SideQuestion } from './SideQuestion.tsx'

export interface ConversationHeaderProps {
  panelOpen: boolean
  onTogglePanel: () => void
}

/** Title, where it works, how it stands, and what can be done to it. */
export function ConversationHeader({ panelOpen, onTogglePanel }: ConversationHeaderProps) {
  const { info, status } = useOpenConversation()
  return (
    <header className="@container isolate flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
      <span role="status" className="flex shrink-0">
        <StateBadge state={executionState(status, info.limit_reached)} />
      </span>
      <ParentLink />
      <EditableTitle />
      {info.agent_type === 'plan' && <Badge tone="accent">{t('plan')}</Badge>}
      {info.selected_repository && <Repository repository={info.selected_repository} branch={info.selected_branch} />}
      {info.source_folder && (
        <SourceFolder path={info.mounted_folder ?? info.source_folder} mode={info.folder_mode ?? 'copy'} />
      )}
      {info.pr_number.length > 0 && <PullRequestChip />}
      <span className="flex-1" />
      <SandboxChip />
      <Figures />
      <span className="flex shrink-0 items-center gap-1">
        <RunControls />
        <SideQuestion />
        <ConversationMenu />
        <IconButton
          label={panelOpen ? t('foldPanel') : t('showChangesAndDetails')}
          aria-expanded={panelOpen}
          icon={<PanelRight size={15} aria-hidden />}
          onClick={onTogglePanel}
        />
      </span>
    </header>
  )
}

const WHERE = { copy: 'copyOf', worktree: 'worktreeAt', in_place: 'workingIn' } as const

function SourceFolder({ path, mode }: { path: string; mode: FolderMode }) {
  return (
    <span
      title={t(WHERE[mode], { path })}
      className="@[760px]:flex hidden min-w-0 shrink-[4] items-center gap-1 text-faint text-sm"
    >
      <Folder size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{folderName(path)}</span>
    </span>
  )
}

function Repository({ repository, branch }: { repository: string; branch: string | null }) {
  return (
    <span
      title={branch ? `${repository} @ ${branch}` : repository}
      className="@[760px]:flex hidden min-w-0 shrink-[4] items-center gap-1 text-faint text-sm"
    >
      <GitBranch size={12} aria-hidden className="shrink-0" />
      <span className="truncate">
        {repositoryName(repository)}
        {branch && ` @ ${branch}`}
      </span>
    </span>
  )
}

function Figures() {
  const info = useFigures()
  const stats = statsOf(useSnapshot(({ conversation }) => conversation))
  const steps = stats?.steps ?? info?.steps ?? 0
  const unknown = stats?.cost_unknown ?? info?.cost_unknown ?? false
  const cost = stats ? sumCost(stats.usage_to_metrics) : (info?.metrics?.accumulated_cost ?? 0)
  const words = unknown ? t('costUnknown') : formatCost(cost)
  const title = unknown ? t('atLeastCost', { cost: formatCost(cost) }) : undefined
  return (
    <span className="@[640px]:flex hidden shrink-0 items-center gap-2.5 text-faint text-sm tabular">
      <ContextShare use={contextUse(stats?.last_step?.usage)} />
      <span title={title}>{t('stepsAndCost', { steps, cost: words })}</span>
    </span>
  )
}

/** From here on the agent soon sums up earlier steps, or the model forgets them. */
const NEARLY_FULL = 0.8

/** How full the model's context is; nothing where that is not known. */
function ContextShare({ use }: { use: ReturnType<typeof contextUse> }) {
  if (!use) return null
  const percent = Math.round(use.share * 100)
  const label = t('contextInUse', { used: formatTokens(use.used), window: formatTokens(use.window), percent })
  return (
    <span title={label} className="flex items-center gap-1.5">
      <span aria-hidden className="h-1 w-8 overflow-hidden rounded-full bg-track">
        <span
          className={`block h-full ${use.share >= NEARLY_FULL ? 'bg-wait' : 'bg-accent'}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="sr-only">{label}</span>
      <span aria-hidden className={use.share >= NEARLY_FULL ? 'text-wait' : ''}>
        {t('percent', { percent })}
      </span>
    </span>
  )
}

function sumCost(metrics: Readonly<Record<string, { accumulated_cost: number }>>): number {
  return Object.values(metrics).reduce((sum, { accumulated_cost }) => sum + accumulated_cost, 0)
}
