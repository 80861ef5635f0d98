import { createContext, type ReactNode, useContext } from 'react'
import { linkTarget, type SandboxServer } from '../../../../state/conversation/sandbox-link.ts'
import { openLink } from '../../open-link.ts'
import { t } from '../text.ts'

/** The servers of the conversation's sandbox, for links that lead to them. */
export const SandboxServers = createContext<readonly SandboxServer[]>([])

/** A link of the agent: it opens outside of the window, and localhost in it is the sandbox. */
export function AgentLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const target = linkTarget(href ?? '', useContext(SandboxServers))
  if (!target) return <span>{children}</span>
  if (target.kind === 'closed') {
    return (
      <span title={t('portIsClosed', { port: String(target.port) })}>
        {children} <span className="text-faint text-sm">{t('onlyInSandbox')}</span>
      </span>
    )
  }
  const { url } = target
  return (
    <a
      href={url}
      title={target.kind === 'sandbox' ? t('portOfSandbox', { port: String(target.port), url }) : url}
      rel="noreferrer"
      onClick={event => {
        event.preventDefault()
        openLink(url)
      }}
    >
      {children}
    </a>
  )
}
