import { Toast } from '@base-ui/react/toast'
import { CircleAlert } from 'lucide-react'
import { buttonClass } from '../Button.tsx'
import { t } from '../text.ts'
import { notices } from './toast.ts'

/** Long enough to read a sentence. */
const SHOWN_MS = 6_000
const MAX_SHOWN = 3
/** The library would have each be a dialog, which takes more of a person's attention than a sentence is worth. */
const GROUP = { role: 'group', 'aria-modal': undefined } as const

/** The notices, the newest at the foot. F6 leads to them; time stands still while the pointer or the focus is there. */
export function Toaster() {
  return (
    <Toast.Provider toastManager={notices} timeout={SHOWN_MS} limit={MAX_SHOWN}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t('notices')}
          // Above what stands at the foot of the page.
          className="fixed end-4 bottom-[calc(var(--foot,0.75rem)+0.75rem)] z-50 flex w-90 max-w-[calc(100vw-2rem)] flex-col-reverse gap-2 outline-none"
        >
          <Notices />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Notices() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(toast => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...GROUP}
      swipeDirection={[]}
      className="popup flex items-start gap-2.5 px-3 py-2.5 text-ink data-limited:hidden"
    >
      {toast.type === 'error' && <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />}
      <Toast.Content className="my-0.5 min-w-0 flex-1 wrap-anywhere">
        <Toast.Title render={<p />} className="font-medium" />
        <Toast.Description className="text-soft" />
      </Toast.Content>
      <Toast.Action
        className={buttonClass('secondary', 'small')}
        // A click leaves the focus where the person works.
        onMouseDown={event => event.preventDefault()}
      />
    </Toast.Root>
  ))
}
