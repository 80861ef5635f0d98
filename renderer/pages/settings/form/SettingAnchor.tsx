import type { ReactNode } from 'react'
import type { EntryName } from './entries.ts'

/** Where a setting stands on its page, so that the search can go to it. */
export function SettingAnchor({
  name,
  className = '',
  children,
}: {
  name: EntryName
  className?: string
  children: ReactNode
}) {
  return (
    <div id={anchorId(name)} tabIndex={-1} className={`min-w-0 scroll-mt-6 rounded-md outline-offset-8 ${className}`}>
      {children}
    </div>
  )
}

/** Shows the setting and puts the focus into its first control. */
export function scrollToSetting(name: EntryName): void {
  const place = document.getElementById(anchorId(name))
  const control = place?.querySelector<HTMLElement>('input:not([type=hidden], [aria-hidden=true]), textarea, button, a')
  const folded = place?.closest('details')
  if (folded) folded.open = true
  place?.scrollIntoView({ block: 'nearest' })
  const target = control ?? place
  target?.focus({ focusVisible: true } as FocusOptions)
}

function anchorId(name: EntryName): string {
  return `setting-${name}`
}
