import { toast } from 'sonner'
import { problemOf } from '../../state/notice/problems.ts'

/** Long enough to read it, to decide and to get there. */
export const ACTION_MS = 15_000

/** `action`: what can still be done about it, such as taking it back. @returns how to take the words away before their time */
export function notifyDone(message: string, action?: { label: string; act: () => void }): () => void {
  const options = action ? { duration: ACTION_MS, action: { label: action.label, onClick: action.act } } : {}
  const id = toast(message, options)
  return () => toast.dismiss(id)
}

/** For a failed act whose place is gone or far; where the place is on screen, `ErrorNotice` stands there. */
export function notifyError(error: unknown): void {
  const { what, meaning } = problemOf(error)
  toast.error(what, meaning ? { description: meaning } : {})
}
