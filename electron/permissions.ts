import { isAppAddress } from './addresses.ts'

/** Copying is all that a page may do, and only ours. `origin` may be any address of the page. */
export function isAllowed(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppAddress(origin)
}
