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

/** The dialogs of a conversation. What is open is known here alone, so that opening one draws nothing else again. */
export function ConversationDialogs({ ref }: { ref: Ref<Pick<OpenConversation, 'ask' | 'askLate'>> }) {
  const { info, status } = useOpenConversation()
  const [queries, client] = [useQueryClient(), useClient()]
  const [dialog, setDialog] = useState<ConversationDialog | null>(null)
  const ask = (asked: ConversationDialog) => {
    if (asked === 'review') void askAhead({ queries, client }, info, status === 'running')
    setDialog(asked)
  }
  /** What comes when this one is closed. */
  const [late, setLate] = useState<ConversationDialog | null>(null)
  const askLate = dialog === null ? setDialog : setLate
  useImperativeHandle(ref, () => ({ ask, askLate }))
  useShortcuts({ 'Mod+Shift+d': () => ask('review') })
  const close = () => {
    setDialog(late)
    setLate(null)
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
