import type { GitState } from '../../../../../server/api/v1/git/commits.ts'
import { usePush } from '../../../../api/git-state.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'

/** A push always asks, with what goes where. */
export function PushDialog({ state, onClose }: { state: GitState; onClose: () => void }) {
  const { id } = useOpenConversation()
  const push = usePush(id)
  const { branch, head, remote, ahead } = state
  function submit() {
    if (branch === null || head === null || remote === null) return
    push.mutate(
      { url: remote.url, branch, sha: head },
      {
        onSuccess: () => {
          onClose()
          notifyDone(t('pushed', { branch, remote: remote.name }))
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('pushTitle', { remote: remote?.name ?? '' })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={push.isPending} onClick={submit}>
            {t('doPush', { branch: branch ?? '' })}
          </Button>
        </>
      }
    >
      {push.error ? <ErrorNotice error={push.error} /> : null}
      <p>
        {t('pushQuestion', { count: ahead, branch: branch ?? '' })}{' '}
        <span className="break-all font-mono text-sm">{remote?.url}</span>
      </p>
      <p className="text-faint text-sm">{t('pushNeverForces')}</p>
    </Dialog>
  )
}
