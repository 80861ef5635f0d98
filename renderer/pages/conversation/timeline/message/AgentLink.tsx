import { createContext, type ReactNode, useContext } from 'react'
import { linkTarget } from '../../../../state/conversation/sandbox-link.ts'
import { openLink } from '../../link/open-link.ts'
import { t } from '../text.ts'

/** Opens a port of the conversation's sandbox, for links that lead there; null where it cannot be reached. */
export const OpenPort = createContext<((target: { port: number; path: string }) => void) | null>(null)

/** A link of the agent: it opens outside of the window, and localhost in it is the sandbox. */
export function AgentLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const openPort = useContext(OpenPort)
  const target = linkTarget(href ?? '', openPort !== null)
  if (!target) return <span>{children}</span>
  if (target.kind === 'closed') {
    return (
      <span title={t('portIsClosed', { port: String(target.port) })}>
        {children} <span className="text-faint text-sm">{t('onlyInSandbox')}</span>
      </span>
    )
  }
  const isWeb = target.kind === 'web'
  return (
    <a
      href={isWeb ? target.url : href}
      title={isWeb ? target.url : t('portOfSandbox', { port: String(target.port) })}
      rel="noreferrer"
      onClick={event => {
        event.preventDefault()
        if (isWeb) openLink(target.url)
        else openPort?.(target)
      }}
    >
      {children}
    </a>
  )
}
