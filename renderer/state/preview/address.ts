/**
 * The page that a person means: `5173`, `:5173/cart`, `localhost:5173`, `example.org` or a whole address. null for what is
 * no page of the web.
 */
export function pageAddress(typed: string): string | null {
  const text = typed.trim()
  const port = /^:?(\d{1,5}(?:[/?#].*)?)$/.exec(text)?.[1]
  if (port !== undefined) return parsed(`http://localhost:${port}`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return parsed(text)
  return parsed(`${isInSandbox(text) ? 'http' : 'https'}://${text}`)
}

/** What a name without dots, or one of the loopback device, leads to is served in the sandbox, hardly ever over TLS. */
function isInSandbox(text: string): boolean {
  return /^(?:[^./?#]+|(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[[^\]]*\])(?::\d+)?(?:[/?#]|$)/i.test(text)
}

function parsed(address: string): string | null {
  if (/\s/.test(address) || !URL.canParse(address)) return null
  const { protocol, username, password, href } = new URL(address)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null
}

/** An address as a person writes it: without what goes without saying. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname, search, hash } = new URL(address)
  return `${host}${pathname === '/' && search === '' && hash === '' ? '' : `${pathname}${search}${hash}`}`
}
