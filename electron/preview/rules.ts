/** What a page of a sandbox may lead to, and where it may be shown: it is nobody's word. */
const PARTITION = /^preview:[\w.-]{1,100}$/

/** @throws Error for what is no id of a sandbox */
export function partitionOf(sandboxId: string): string {
  const partition = `preview:${sandboxId}`
  if (!PARTITION.test(partition)) throw new Error('That is no sandbox.')
  return partition
}

/** What a preview asks for: the web, and what its page has made itself. */
export function isGuestRequest(address: string): boolean {
  return ['http:', 'https:', 'ws:', 'wss:', 'data:', 'blob:'].includes(protocolOf(address))
}

/** Where a preview may go as a whole. */
export function isGuestPage(address: string): boolean {
  return ['http:', 'https:'].includes(protocolOf(address))
}

/** What a frame of a preview may show. */
export function isGuestFrame(address: string): boolean {
  return isGuestPage(address) || ['about:', 'data:', 'blob:'].includes(protocolOf(address))
}

/** An element of our page that shows one, by what the element says of itself. */
export function isPreviewElement({ partition, src }: { partition?: string; src?: string }): boolean {
  return PARTITION.test(partition ?? '') && isGuestPage(src ?? '')
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : ''
}
