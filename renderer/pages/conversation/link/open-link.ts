/** Opens a page outside of the window: through the desktop, or in a new tab of a browser. */
export function openLink(address: string): void {
  if (window.atelier) void window.atelier.openExternal(address)
  else window.open(address, '_blank', 'noopener,noreferrer')
}
