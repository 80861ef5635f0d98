import { Toast } from '@base-ui/react/toast'
import { CircleAlert } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
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
  const viewport = useRef<HTMLDivElement>(null)
  useEffect(() => passByTab(() => viewport.current), [])
  return (
    <Toast.Provider toastManager={notices} timeout={SHOWN_MS} limit={MAX_SHOWN}>
      <Toast.Portal>
        <Toast.Viewport
          ref={viewport}
          aria-label={t('notices')}
          // Above what stands at the foot of the page. Its margin is room for shadows, and takes no clicks.
          className="pointer-events-none fixed end-2 bottom-[calc(var(--foot,0.75rem)+0.25rem)] z-50 flex max-h-[calc(100vh-var(--foot,0.75rem)-0.5rem)] w-94 max-w-[calc(100vw-1rem)] flex-col-reverse gap-2 overflow-y-auto p-2"
        >
          <Notices />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Notices() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(toast => <Notice key={toast.id} toast={toast} />)
}

function Notice({ toast }: { toast: Toast.Root.ToastObject }) {
  return (
    <Toast.Root
      {...GROUP}
      {...useFocusGivenBack()}
      toast={toast}
      swipeDirection={[]}
      onKeyDown={keepEscape}
      className="popup pointer-events-auto flex shrink-0 items-start gap-2.5 px-3 py-2.5 text-ink focus-visible:outline-2 focus-visible:outline-accent data-limited:hidden"
    >
      {toast.type === 'error' && <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />}
      <Toast.Content className="my-0.5 min-w-0 flex-1 wrap-anywhere">
        <Toast.Title render={<p />} className="font-medium" />
        <Toast.Description className="text-soft" />
      </Toast.Content>
      <Toast.Action className={buttonClass('secondary', 'small')} />
    </Toast.Root>
  )
}

/**
 * Whoever comes to the notices with Tab goes into them and on behind them. The library's guards around them give the focus back to
 * where F6 was pressed last, also then, and Tab would lead in a circle between that place and the notices.
 */
function passByTab(viewportOf: () => HTMLElement | null): () => void {
  let cameByTab = false
  const onFocus = (event: globalThis.FocusEvent) => {
    const { target, relatedTarget } = event
    const viewport = viewportOf()
    if (!viewport || !(target instanceof HTMLElement)) return
    if (target === viewport) cameByTab = false
    const isAround = target.parentElement === viewport || target.parentElement === viewport.parentElement
    if (!isAround || !target.hasAttribute('data-base-ui-focus-guard')) return
    const isEntered = !(relatedTarget instanceof Node && viewport.contains(relatedTarget))
    if (isEntered) cameByTab = true
    if (cameByTab) event.stopPropagation()
    if (isEntered) viewport.querySelector<HTMLElement>('[role="group"]:not([inert])')?.focus()
  }
  document.addEventListener('focusin', onFocus, true)
  return () => document.removeEventListener('focusin', onFocus, true)
}

/** Escape closes the notice, and not the dialog that is open below it. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.stopPropagation()
}

/** A notice that goes while it has the focus gives it back; the page is asked in the moment before the notice leaves it. */
function useFocusGivenBack() {
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef<EventTarget | null>(null)
  useLayoutEffect(() => {
    const notice = ref.current
    return () => {
      if (notice?.contains(document.activeElement) && before.current instanceof HTMLElement)
        before.current.focus({ preventScroll: true })
    }
  }, [])
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    if (!ref.current?.contains(relatedTarget)) before.current = relatedTarget
  }
  return { ref, onFocus }
}
