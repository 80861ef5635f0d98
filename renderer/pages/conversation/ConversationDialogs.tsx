import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useState } from 'react'
import { askAhead } from '../../api/review.ts'
import { useClient } from '../../api/session.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { type ConversationDialog, type OpenConversation, useOpenConversation } from './context.ts'
import { ApplyDialog } from './panel/apply/ApplyDialog.tsx'
import { AttemptsDialog } from './panel/attempts/AttemptsDialog.tsx'
import { ComparisonDialog } from './panel/comparison/ComparisonDialog.tsx'
import { FileDialog } from './panel/file/FileDialog.tsx'
import { GitDialog, isGitDialog } from './panel/git/GitDialog.tsx'
import { ReviewDialog } from './panel/review/ReviewDialog.tsx'
import { GoBackDialog } from './timeline/back/GoBackDialog.tsx'

interface Shown {
  readonly dialog: ConversationDialog | null
  /** What comes when that one is closed. */
  readonly late: ConversationDialog | null
}

/** The dialogs of a conversation. What is open is known here alone, so that opening one draws nothing else again. */
export function ConversationDialogs({ ref }: { ref: Ref<Pick<OpenConversation, 'ask' | 'askLate'>> }) {
  const { info, status } = useOpenConversation()
  const [queries, client] = [useQueryClient(), useClient()]
  const [{ dialog }, setShown] = useState<Shown>({ dialog: null, late: null })
  const ask = (asked: ConversationDialog) => {
    if (asked === 'review') void askAhead({ queries, client }, info, status === 'running')
    setShown(shown => ({ ...shown, dialog: asked }))
  }
  const askLate = (asked: ConversationDialog) => {
    setShown(shown => (shown.dialog === null ? { dialog: asked, late: null } : { ...shown, late: asked }))
  }
  useImperativeHandle(ref, () => ({ ask, askLate }))
  useShortcuts({ 'Mod+Shift+d': () => ask('review') })
  // What ends late closes the dialog that it belongs to, and no other one.
  const close = () => {
    setShown(shown => (shown.dialog === dialog ? { dialog: shown.late, late: null } : shown))
  }
  if (dialog === null) return null
  if (typeof dialog === 'object' && 'file' in dialog)
    return <FileDialog key={dialog.file} path={dialog.file} onClose={close} />
  if (typeof dialog === 'object' && 'attemptsFrom' in dialog)
    return <AttemptsDialog eventId={dialog.attemptsFrom} onClose={close} />
  if (typeof dialog === 'object' && 'compare' in dialog)
    return <ComparisonDialog first={dialog.compare} onClose={close} />
  if (typeof dialog === 'object') return <GoBackDialog goal={dialog} onClose={close} />
  if (isGitDialog(dialog)) return <GitDialog asked={dialog} onClose={close} />
  return dialog === 'apply' ? <ApplyDialog onClose={close} /> : <ReviewDialog onClose={close} />
}
