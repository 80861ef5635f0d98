import { Toaster as Sonner } from 'sonner'
import { buttonClass } from '../Button.tsx'

/** Above what stands at the foot of the page. */
const OFFSET = { bottom: 'calc(var(--foot, 0.75rem) + 0.75rem)' }

export function Toaster() {
  return (
    <Sonner
      theme="system"
      position="bottom-right"
      duration={6_000}
      offset={OFFSET}
      mobileOffset={OFFSET}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'popup flex w-90 items-start gap-2.5 px-3 py-2.5 text-ink',
          title: 'font-medium',
          description: 'text-soft',
          icon: 'mt-0.5 text-bad',
          actionButton: `${buttonClass('secondary', 'small')} ms-auto`,
        },
      }}
    />
  )
}
