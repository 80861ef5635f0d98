import { toast } from 'sonner'
import { problemOf } from '../../state/notice/problems.ts'

export function notifyDone(message: string): void {
  toast(message)
}

/** For a failed act whose place is gone or far; where the place is on screen, `ErrorNotice` stands there. */
export function notifyError(error: unknown): void {
  const { what, meaning } = problemOf(error)
  toast.error(what, meaning ? { description: meaning } : {})
}
