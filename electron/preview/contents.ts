import type { WebContents, WebPreferences } from 'electron'
import { endFloods } from './flood.ts'
import { isGuestFrame, isGuestPage, isPreviewElement } from './rules.ts'

/** Rules for the elements in which our page shows previews; no other contents have any. */
export function lockElements(contents: WebContents): void {
  contents.on('will-attach-webview', (event, preferences, params) => {
    if (contents.getType() !== 'window' || !isPreviewElement(params)) return event.preventDefault()
    for (const name of Object.keys(preferences)) if (!KEPT.has(name)) Reflect.deleteProperty(preferences, name)
    Object.assign(preferences, GUEST)
  })
}

/** Names the partition; everything else that the element says is not asked. */
const KEPT: ReadonlySet<string> = new Set(['partition'])
const GUEST: WebPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // They would be in front of the window, in its name.
  disableDialogs: true,
  spellcheck: false,
  devTools: false,
}

/** Rules for the pages of sandboxes. */
export function lockGuest(contents: WebContents): void {
  const count = endFloods(contents)
  const keepToWeb = (event: { url: string; isMainFrame: boolean; preventDefault: () => void }): void => {
    if (event.isMainFrame ? !isGuestPage(event.url) : !isGuestFrame(event.url)) event.preventDefault()
  }
  contents.on('will-frame-navigate', keepToWeb)
  contents.on('will-redirect', keepToWeb)
  // There is one place for a page: what it opens comes in its stead, and going back leads to it.
  contents.setWindowOpenHandler(({ url }) => {
    count(url.length)
    if (isGuestPage(url)) setImmediate(() => !contents.isDestroyed() && void contents.loadURL(url).catch(() => {}))
    return { action: 'deny' }
  })
  // A person who leaves a page, or closes it, is not held back by it.
  contents.on('will-prevent-unload', event => event.preventDefault())
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}
