import { X } from 'lucide-react'
import { useMemo } from 'react'
import { doneCount, tasksOf } from '../../../state/conversation/task-list.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useOpenConversation } from '../context.ts'
import { RefusedCount } from '../network/RefusedCount.tsx'
import { AttemptsTab } from './attempts/AttemptsTab.tsx'
import { useAttempts } from './attempts/use-attempts.ts'
import { ChangesTab } from './changes/ChangesTab.tsx'
import { useChanges } from './changes/use-changes.ts'
import { DetailsTab } from './details/DetailsTab.tsx'
import { FilesTab } from './files/FilesTab.tsx'
import { PreviewTab } from './preview/PreviewTab.tsx'
import { usePorts } from './preview/use-ports.ts'
import { TasksTab } from './TasksTab.tsx'
import { TerminalTab } from './terminal/TerminalTab.tsx'
import { t } from './text.ts'

const TABS = ['changes', 'files', 'terminal', 'preview', 'tasks', 'attempts', 'details'] as const

interface SidePanelProps {
  tab: string
  onTab: (tab: string) => void
  onClose: () => void
}

/** Beside the conversation: what changed, what is to be done, and what it is. */
export function SidePanel({ tab, onTab, onClose }: SidePanelProps) {
  const { snapshot } = useOpenConversation()
  const { events } = snapshot.conversation
  const changes = useChanges()
  const ports = usePorts()
  const { data: attempts = [] } = useAttempts()
  const shown = TABS.find(name => name === tab && (name !== 'attempts' || attempts.length > 0)) ?? 'changes'
  const tasks = useMemo(() => tasksOf(events), [events])
  return (
    <Tabs
      label={t('panel')}
      value={shown}
      onValueChange={onTab}
      aside={<IconButton size="small" label={t('foldPanel')} icon={<X size={14} aria-hidden />} onClick={onClose} />}
      tabs={[
        {
          name: 'changes',
          title: <CountedTitle title={t('changes')} amount={changes.edits.length + changes.others.length} />,
          panel: <ChangesTab changes={changes} />,
        },
        { name: 'files', title: t('files'), panel: <FilesTab changes={changes} /> },
        { name: 'terminal', title: t('terminal'), panel: <TerminalTab /> },
        {
          name: 'preview',
          title: <CountedTitle title={t('preview')} amount={ports.data?.length ?? 0} />,
          panel: <PreviewTab ports={ports} />,
        },
        { name: 'tasks', title: <TasksTitle tasks={tasks} />, panel: <TasksTab tasks={tasks} /> },
        // Few conversations have any.
        ...(attempts.length > 0
          ? [{ name: 'attempts' as const, title: t('attempts'), panel: <AttemptsTab attempts={attempts} /> }]
          : []),
        { name: 'details', title: <DetailsTitle />, panel: <DetailsTab /> },
      ]}
    />
  )
}

function DetailsTitle() {
  return (
    <>
      {t('details')} <RefusedCount />
    </>
  )
}

function TasksTitle({ tasks }: { tasks: ReturnType<typeof tasksOf> }) {
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

function CountedTitle({ title, amount }: { title: string; amount: number }) {
  return (
    <>
      {title} {amount > 0 && <span className="text-faint tabular">{amount}</span>}
    </>
  )
}
