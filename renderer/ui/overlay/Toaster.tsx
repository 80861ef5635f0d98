import { Toaster as Sonner } from 'sonner'
import { DIRECTION } from '../../language/current.ts'
import { buttonClass } from '../Button.tsx'
import { t } from '../text.ts'

/** Above what stands at the foot of the page. */
const OFFSET = { bottom: 'calc(var(--foot, 0.75rem) + 0.75rem)' }

export function Toaster() {
  return (
    <Sonner
      theme="system"
      containerAriaLabel={t('notices')}
      dir={DIRECTION}
      position={DIRECTION === 'rtl' ? 'bottom-left' : 'bottom-right'}
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
