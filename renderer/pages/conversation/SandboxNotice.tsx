import { useNavigate } from '@tanstack/react-router'
import { resumeSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { useStart } from '../../api/start.ts'
import { useCommand } from '../../components/use-command.ts'
import { useTaskIntoLauncher } from '../../state/launch/draft.ts'
import { EMPTY_DRAFT } from '../../state/launch/launch.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { notifyError } from '../../ui/overlay/toast.ts'
import { useOpenConversation } from './context.ts'
import { t } from './text.ts'
import { useSandbox } from './use-sandbox.ts'

/** Says what a sandbox that does not run means for the conversation, and what is to be known of one that runs. */
export function SandboxNotice() {
  const { info } = useOpenConversation()
  const { status, unreachable, detail, isUsable } = useSandbox()
  const resume = useCommand(client => client.call(resumeSandbox, { params: { sandbox_id: info.sandbox_id } }))
  const button = (
    <Button size="small" busy={resume.isPending} onClick={() => resume.mutate()}>
      {t('resumeSandbox')}
    </Button>
  )
  // That the engine is away is said above every page.
  if (unreachable) return null
  switch (status) {
    case 'RUNNING':
      return detail ? <Notice tone="wait" what={detail} /> : null
    case 'STARTING':
      return null
    case 'PAUSED':
      return isUsable ? null : (
        <Notice tone="wait" what={t('sandboxIsPaused')} meaning={t('agentCanWorkAgain')}>
          {button}
        </Notice>
      )
    case 'ERROR':
      return (
        <Notice what={detail ?? t('sandboxHasStoppedWithError')} meaning={t('agentCannotWork')}>
          {button}
        </Notice>
      )
    case 'MISSING':
      if (info.sandbox_id === '') {
        return (
          <Notice what={t('hasNoSandbox')} meaning={t('itGoesOnWithoutItsFiles')}>
            <GoOn />
          </Notice>
        )
      }
      return (
        <Notice what={t('sandboxWasRemoved')} meaning={t('itsFilesAreGone')}>
          <StartAnew />
        </Notice>
      )
  }
}

/** A conversation with the same log, in a sandbox of its own. */
function GoOn() {
  const { info } = useOpenConversation()
  const start = useStart()
  return (
    <Button
      size="small"
      busy={start.isPending}
      onClick={() => start.mutate({ forked_from_conversation_id: info.id }, { onError: notifyError })}
    >
      {t('goOnInNewSandbox')}
    </Button>
  )
}

/** The launcher, with what this conversation began with. */
function StartAnew() {
  const { info, feed } = useOpenConversation()
  const intoLauncher = useTaskIntoLauncher()
  const navigate = useNavigate()
  function open() {
    const { selected_repository: repository, selected_branch: branch } = info
    const [first] = feed.snapshot().conversation.items
    const text = first?.kind === 'message' && first.author === 'user' ? first.text : ''
    intoLauncher({ ...EMPTY_DRAFT, text, repository: repository ?? '', branch: branch ?? '' })
    void navigate({ to: '/' })
  }
  return (
    <Button size="small" onClick={open}>
      {t('startNewConversation')}
    </Button>
  )
}
