import { type App, type Session, shell } from 'electron'
import { isAppAddress, isLocalServiceAddress, isWebAddress } from './addresses.ts'
import type { Downloads } from './downloads/downloads.ts'
import { isAllowed } from './permissions.ts'
import { lockElements, lockGuest } from './preview/contents.ts'

/** Rules for everything that shows web content, whoever creates it. */
export function lockContents(app: App): void {
  // Electron would give the first that the person has, without a question.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault()
    answer()
  })
  app.on('web-contents-created', (_event, contents) => {
    lockElements(contents)
    if (contents.getType() === 'webview') return lockGuest(contents)
    contents.on('will-navigate', event => keepInside(event))
    contents.on('will-redirect', event => keepInside(event))
    contents.on('will-frame-navigate', event => {
      if (!event.isMainFrame) event.preventDefault()
    })
    contents.setWindowOpenHandler(({ url }) => {
      openInBrowser(url)
      return { action: 'deny' }
    })
  })
}

/** The window shows the app only; a link to a web page opens in the user's browser. */
function keepInside(event: { url: string; preventDefault: () => void }): void {
  if (isAppAddress(event.url)) return
  event.preventDefault()
  openInBrowser(event.url)
}

/** Opens web pages, and silently nothing else. */
export function openInBrowser(address: string): void {
  if (isWebAddress(address)) void shell.openExternal(address).catch(() => {}) // no browser: nothing to be done
}

/** Rules for what pages may ask of the computer and of the network. */
export function lockSession(session: Session, downloads: Downloads): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(isAllowed(permission, details.requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
  session.setSpellCheckerEnabled(false) // it would download dictionaries
  session.on('will-download', (event, item, contents) => {
    if (!item.getURL().startsWith('blob:app://') && !downloads.take(item, contents)) event.preventDefault()
  })
  session.webRequest.onBeforeRequest({ urls: NETWORK }, (details, answer) =>
    answer({ cancel: !isLocalServiceAddress(details.url) }),
  )
}

const NETWORK = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*']
