/** The window's own address. Everything in it comes from the app's files. */
export const APP_SCHEME = 'app'
export const APP_ORIGIN = 'app://atelier'
export const APP_PAGE = `${APP_ORIGIN}/`

export function isAppAddress(address: string): boolean {
  const url = parse(address)
  // `origin` of a scheme that URL does not know is "null", so its parts are compared.
  return url?.protocol === `${APP_SCHEME}:` && url.host === 'atelier' && url.username === '' && url.password === ''
}

/** What may be handed to the user's browser: a web page without credentials in it. */
export function isWebAddress(address: string): boolean {
  const url = address.length <= 4096 ? parse(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false
  return url.hostname !== '' && url.username === '' && url.password === ''
}

/** What the window may connect to: the service on this computer. */
export function isLocalServiceAddress(address: string): boolean {
  const url = parse(address)
  return (url?.protocol === 'http:' || url?.protocol === 'ws:') && url.hostname === '127.0.0.1'
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined
}
