/** The host of an address, with or without protocol, user and port. */
export function hostOf(address: string): string {
  const rest = address.replace(/^[a-z][\w+.-]*:\/\//i, '').split(/[/?#\\]/)[0] ?? ''
  const host = rest.slice(rest.lastIndexOf('@') + 1)
  const bracketed = /^\[([^\]]*)\]/.exec(host)?.[1]
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '')
}
