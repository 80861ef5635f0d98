import { BrowserProblem } from './problem.ts'

const HELP = 'Give an http or https address. Files of the sandbox are read with the other tools, or served over HTTP.'

/**
 * The address that is meant: without a scheme it is http on this machine and https elsewhere.
 * @throws BrowserProblem for what is no address, and for schemes that are no page of the web
 */
export function addressOf(given: string): string {
  const text = given.trim()
  // A port is no scheme: `localhost:3000`.
  const scheme = /^([a-z][\w+.-]*):(?!\d)/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return checked(withScheme(text), text)
  if (scheme === 'http' || scheme === 'https') return checked(text, text)
  if (scheme === 'data' || text.toLowerCase() === 'about:blank') return text
  throw new BrowserProblem(`Addresses that begin with ${scheme}: are not opened. ${HELP}`)
}

const LOCAL = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|[\w-]+\.localhost|host\.docker\.internal)(:\d+)?([/?#]|$)/i

function withScheme(text: string): string {
  return `${LOCAL.test(text) ? 'http' : 'https'}://${text.replace(/^\/\//, '')}`
}

function checked(address: string, given: string): string {
  try {
    return new URL(address).href
  } catch {
    throw new BrowserProblem(`This is no address: ${given.slice(0, 200)}. ${HELP}`)
  }
}
