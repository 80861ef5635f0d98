import type { ConversationDialog } from '../../context.ts'
import { CommitDialog } from './CommitDialog.tsx'
import { PullRequestDialog } from './PullRequestDialog.tsx'
import { PushDialog } from './PushDialog.tsx'
import { useGitState } from './use-git-state.ts'

const DIALOGS = { commit: CommitDialog, push: PushDialog, 'pull-request': PullRequestDialog } as const

export function isGitDialog(asked: ConversationDialog | null): asked is keyof typeof DIALOGS {
  return typeof asked === 'string' && asked in DIALOGS
}

export function GitDialog({ asked, onClose }: { asked: keyof typeof DIALOGS; onClose: () => void }) {
  const { data: state } = useGitState()
  const Asked = DIALOGS[asked]
  return state ? <Asked state={state} onClose={onClose} /> : null
}
