import { ExternalLink as Icon } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { notifyError } from '../ui/overlay/toast.ts'

/** A page outside of Atelier: it opens in the user's browser, never in this window. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  function open(event: MouseEvent) {
    if (!window.atelier) return
    event.preventDefault()
    window.atelier.openExternal(href).catch(notifyError)
  }
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      onClick={open}
      className="inline-flex items-baseline gap-1 text-accent underline-offset-2 hover:underline"
    >
      {children}
      <Icon size={11} aria-hidden className="self-center" />
    </a>
  )
}
