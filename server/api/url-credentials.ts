import { isCredentialName } from './secret-names.ts'

/** What of an address is a credential, in words that do not repeat it; undefined when there is none. */
export function credentialsIn(text: string): string | undefined {
  const [address = '', fragment = ''] = text.split('#', 2)
  const [place = '', query = ''] = address.split(/\?(.*)/s, 2)
  const authority = /^[a-z][a-z0-9+.-]*:\/*([^/\\]*)/i.exec(place.trim())?.[1] ?? ''
  if (authority.includes('@')) return 'the address holds a user name or password; leave it out, as addresses are shown'
  if (![query, fragment].some(holdsSecretParameter)) return undefined
  return 'the address holds a key or password in its parameters; leave it out, as addresses are shown'
}

/** @param text the part of an address after its `?` or `#` */
export function holdsSecretParameter(text: string): boolean {
  return parametersIn(text).some(isCredentialName)
}

function parametersIn(text: string): string[] {
  return [...new URLSearchParams(text)].filter(([, value]) => value !== '').map(([name]) => name)
}

/** Whether a text holds an address with a password, such as `postgres://user:password@host/db`. */
export function holdsUrlWithPassword(text: string): boolean {
  const addresses = text.matchAll(/[a-z][a-z0-9+.-]{1,40}:\/\/([^\s/?#'"]{1,2000})/gi)
  return [...addresses].some(([, authority = '']) => {
    const colon = authority.indexOf(':')
    return colon !== -1 && authority.lastIndexOf('@') > colon + 1
  })
}
