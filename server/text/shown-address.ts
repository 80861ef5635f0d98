/** An address without what may be a credential in it: scheme and host, or the path of a socket; null for what is no address. */
export function shownAddress(text: string): string | null {
  const trimmed = text.trim()
  if (/^(unix|npipe):\/\/[^@]*$/.test(trimmed)) return trimmed
  // Without a scheme, the name before a password would be taken for one.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  if (!URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  return host === '' ? null : `${protocol}//${host}`
}
