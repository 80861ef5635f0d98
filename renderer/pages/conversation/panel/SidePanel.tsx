import { X } from 'lucide-react'
import { useState } from 'react'
import { doneCount, tasksOf } from '../../../state/conversation/task-list.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { RefusedCount } from '../network/RefusedCount.tsx'
import { AttemptsTab } from './attempts/AttemptsTab.tsx'
import { useAttempts } from './attempts/use-attempts.ts'
import { CountedTitle } from './CountedTitle.tsx'
import { ChangesTab } from './changes/ChangesTab.tsx'
import { useChanges } from './changes/use-changes.ts'
import { DetailsTab } from './details/DetailsTab.tsx'
import { FilesTab } from './files/FilesTab.tsx'
import { PreviewTab } from './preview/PreviewTab.tsx'
import { PreviewTitle } from './preview/PreviewTitle.tsx'
import { TasksTab } from './TasksTab.tsx'
import { TerminalTab } from './terminal/TerminalTab.tsx'
import { t } from './text.ts'

const TABS = ['changes', 'files', 'terminal', 'preview', 'tasks', 'attempts', 'details'] as const

interface SidePanelProps {
  /** null while it is folded. */
  tab: string | null
  onTab: (tab: string) => void
  onClose: () => void
}

/** Beside the conversation: what changed, what is to be done, and what it is. */
export function SidePanel({ tab, onTab, onClose }: SidePanelProps) {
  const { data: attempts = [] } = useAttempts()
  const known = TABS.find(name => name === tab && (name !== 'attempts' || attempts.length > 0)) ?? 'changes'
  const shown = tab === null ? null : known
  const { preview } = useOpenConversation()
  /** A page that has been looked at stays as it is; none is loaded before that. */
  const [isPreviewed, setPreviewed] = useState(false)
  if (shown === 'preview' && !isPreviewed) setPreviewed(true)
  const isKept = isPreviewed && preview.address !== ''
  if (shown === null && !isKept) return null
  return (
    <Tabs
      label={t('panel')}
      value={shown}
      onValueChange={onTab}
      aside={<IconButton size="small" label={t('foldPanel')} icon={<X size={14} aria-hidden />} onClick={onClose} />}
      tabs={[
        {
          name: 'changes',
          title: <ChangesTitle />,
          panel: <ChangesTab />,
        },
        { name: 'files', title: t('files'), panel: <FilesTab /> },
        { name: 'terminal', title: t('terminal'), panel: <TerminalTab /> },
        {
          name: 'preview',
          title: <PreviewTitle />,
          panel: <PreviewTab />,
          isKept,
        },
        { name: 'tasks', title: <TasksTitle />, panel: <TasksTab /> },
        // Few conversations have any.
        ...(attempts.length > 0
          ? [{ name: 'attempts' as const, title: t('attempts'), panel: <AttemptsTab attempts={attempts} /> }]
          : []),
        { name: 'details', title: <DetailsTitle />, panel: <DetailsTab /> },
      ]}
    />
  )
}

// Each title follows what it counts by itself: a panel that did would be rendered with each event.

function ChangesTitle() {
  const { edits, others } = useChanges()
  return <CountedTitle title={t('changes')} amount={edits.length + others.length} />
}

function DetailsTitle() {
  return (
    <>
      {t('details')} <RefusedCount />
    </>
  )
}

function TasksTitle() {
  const events = useSnapshot(({ conversation }) => conversation.events)
  const tasks = tasksOf(events)
  if (!tasks || tasks.length === 0) return t('tasks')
  return (
    <>
      {t('tasks')}{' '}
      <span className="text-faint tabular">
        {doneCount(tasks)}/{tasks.length}
      </span>
    </>
  )
}
