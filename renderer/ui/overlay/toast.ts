import { Toast } from '@base-ui/react/toast'
import { problemOf } from '../../state/notice/problems.ts'
import { t } from '../text.ts'

/** Long enough to read it, to decide and to get there. */
export const ACTION_MS = 15_000

export const notices = Toast.createToastManager()

/** `action`: what can still be done about it, such as taking it back. @returns how to take the words away before their time */
export function notifyDone(message: string, action?: { label: string; act: () => void }): () => void {
  const onClick = () => {
    notices.close(id)
    action?.act()
  }
  const id: string = notices.add({
    title: message,
    ...(action && { timeout: ACTION_MS, actionProps: { children: action.label, onClick } }),
  })
  return () => takeAway(id)
}

/** For what takes a while: `update` says how far it is, and `close` takes the words away. */
export function notifyProgress(message: string, action: { label: string; act: () => void }) {
  const actionProps = { children: action.label, onClick: action.act }
  const id: string = notices.add({ title: message, timeout: 0, actionProps })
  return { update: (title: string) => notices.update(id, { title }), close: () => notices.close(id) }
}

/** For a failed act whose place is gone or far; where the place is on screen, `ErrorNotice` stands there. */
export function notifyError(error: unknown): void {
  const { what, meaning, remedy } = problemOf(error)
  const id: string = notices.add({
    type: 'error',
    title: what,
    description: meaning,
    ...(remedy === 'sandboxes' && {
      timeout: ACTION_MS,
      actionProps: {
        children: t('openSandboxes'),
        onClick: () => {
          notices.close(id)
          location.assign('#/sandboxes')
        },
      },
    }),
  })
}

/**
 * Before somebody comes back to the window, only its action goes: without a notice the library would not see that they do,
 * and not begin the time of the next one.
 */
function takeAway(id: string): void {
  if (document.hasFocus()) return notices.close(id)
  notices.update(id, { actionProps: undefined })
  window.addEventListener('focus', () => setTimeout(() => notices.close(id)), { once: true })
}
