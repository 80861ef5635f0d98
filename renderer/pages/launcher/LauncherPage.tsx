import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FileUp, Play } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LinkProblem } from '../../../electron/ipc.ts'
import { settingsQuery, systemQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useDemonstration, useIsStarting, useStart } from '../../api/start.ts'
import { ReplayDialog } from '../../components/ReplayDialog.tsx'
import {
  currentDraft,
  type Opened,
  type SentTask,
  useLaunchDraft,
  useTaskOutOfLauncher,
  withOpened,
} from '../../state/launch/draft.ts'
import { uploadsForStart } from '../../state/launch/file-uploads.ts'
import {
  type LaunchDraft,
  leavesModelOut,
  onFolder,
  problemsOf,
  requestOf,
  withoutAttempts,
} from '../../state/launch/launch.ts'
import { useRecentFolders } from '../../state/launch/recent-folders.ts'
import { connectedProviders } from '../../state/settings/provider-tokens.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../ui/ErrorNotice.tsx'
import { LaunchChips } from './LaunchChips.tsx'
import { LaunchComposer } from './LaunchComposer.tsx'
import { SuggestedTasks } from './SuggestedTasks.tsx'
import { TaskNotice } from './TaskNotice.tsx'
import { t } from './text.ts'
import { useLaunchAttaching } from './use-launch-attaching.ts'

/** `folder` and `text`: what the app was asked to begin with; `link`: why it does not. */
export function LauncherPage({ folder, text, link }: Opened & { link: LinkProblem | undefined }) {
  const client = useClient()
  const { data: settings, error: settingsError } = useQuery(settingsQuery(client))
  const { data: system } = useQuery(systemQuery(client))
  const [draft, setDraft] = useLaunchDraft()
  const attaching = useLaunchAttaching()
  const { attached, bringBack } = attaching.attachments
  const sent = useRef<SentTask>({ draft, attached })
  const takeOut = useTaskOutOfLauncher()
  const { add: addRecentFolder } = useRecentFolders()
  const change = (fields: Partial<LaunchDraft>) => setDraft({ ...currentDraft(), ...fields })
  const chooseFolder = (path: string) => setDraft(onFolder(currentDraft(), path))
  const navigate = useNavigate()
  const takeOpened = useEffectEvent((opened: Opened) => {
    setDraft(withOpened(currentDraft(), opened))
    // What is typed over it afterwards is not undone by a reload.
    void navigate({ to: '/', search: {}, replace: true })
  })
  useEffect(() => {
    if (folder || text) takeOpened({ folder, text })
  }, [folder, text])
  const goBackTo = (before: LaunchDraft) => {
    attaching.refuse(draft.replaced.at(-1)?.by === 'task' ? bringBack() : [])
    setDraft(before)
  }
  const isStarting = useIsStarting()
  const start = useStart(() => {
    const folder = sent.current.draft.folder.trim()
    if (folder) addRecentFolder(folder)
    const { isHere, refused } = takeOut(sent.current)
    attaching.refuse(refused)
    return isHere
  })

  const needsModel = (asked: LaunchDraft) => settings !== undefined && !settings?.llm_model && leavesModelOut(asked)
  const noModel = needsModel(draft)
  const problems = problemsOf(draft)
  const engineReason = system?.engine.state === 'unavailable' ? t('engineIsNotAvailable') : null
  const modelReason = (isNeeded: boolean) => (isNeeded ? t('chooseModel') : null)
  const reason = engineReason ?? Object.values(problems)[0] ?? modelReason(noModel) ?? attaching.waits

  function launch() {
    if (reason || isStarting) return
    sent.current = { draft, attached }
    const images = attached.images.map(({ dataUrl }) => dataUrl)
    start.mutate(requestOf(draft, { images, files: uploadsForStart(attached.uploads) }))
  }

  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-235 flex-col gap-4 px-5 pt-[14vh] pb-10">
        <h1 className="text-xl font-semibold">{t('title')}</h1>
        {settingsError ? <ErrorNotice error={settingsError} /> : null}
        {start.error ? <ErrorNotice error={start.error} onRetry={launch} retrying={start.isPending} /> : null}
        <TaskNotice problem={link} draft={draft} onBack={goBackTo} />
        <LaunchComposer
          text={draft.text}
          onTextChange={text => change({ text })}
          attaching={attaching}
          onFolder={chooseFolder}
          onLaunch={launch}
          disabledReason={reason}
          busy={isStarting}
        >
          <LaunchChips draft={draft} problems={problems} settings={settings ?? null} onChange={change} />
        </LaunchComposer>
        {noModel ? <NoModel /> : null}
        {connectedProviders(settings ?? null).length > 0 ? (
          <SuggestedTasks
            draft={draft}
            disabledReason={engineReason ?? modelReason(needsModel(withoutAttempts(draft)))}
          />
        ) : null}
        <Replay />
      </div>
    </div>
  )
}

function Replay() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        className="self-start"
        look="quiet"
        size="small"
        icon={<FileUp size={13} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('replaySavedLog')}
      </Button>
      {open ? <ReplayDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function NoModel() {
  const demonstration = useDemonstration()
  return (
    <Notice tone="wait" what={t('noModelIsSetUp')} meaning={t('agentNeedsOneToWork')}>
      <Link to="/settings/$section" params={{ section: 'model' }} className={buttonClass('secondary', 'small')}>
        {t('setUpModel')}
      </Link>
      <Button
        size="small"
        icon={<Play size={12} aria-hidden />}
        busy={demonstration.isPending}
        onClick={() => demonstration.mutate()}
      >
        {t('watchDemonstration')}
      </Button>
    </Notice>
  )
}
