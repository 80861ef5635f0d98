import { app, BrowserWindow, dialog, nativeTheme, type Rectangle, screen } from 'electron'
import { APP_PAGE } from '../addresses.ts'
import { isOnWayland } from '../display/wayland.ts'
import { CONVERSATION_WINDOW } from '../ipc.ts'
import { t } from '../text.ts'
import { WINDOW_BACKGROUND } from './background.ts'
import { displaysOf, fitToDisplays, followDisplays, MIN_SIZE, readBounds, rememberBounds } from './bounds.ts'
import { offerContextMenu } from './context-menu.ts'

export interface WindowFiles {
  preload: string
  icon: string
  /** Where the main window's place is remembered. */
  bounds: string
}

export interface OpenedWindow {
  /** The page to begin with; undefined for the first. */
  route: string | undefined
  /** Of a window for one conversation: the main one, or null where that is closed. Absent for the main one itself. */
  beside?: BrowserWindow | null
  /** Stays hidden until it is asked for. */
  isHidden?: boolean
}

export function openWindow(files: WindowFiles, { route, beside, isHidden = false }: OpenedWindow): BrowserWindow {
  const isMain = beside === undefined
  const { bounds, maximized } = isMain ? readBounds(files.bounds) : { bounds: placeBeside(beside), maximized: false }
  const window = new BrowserWindow({
    ...fitToDisplays(displaysOf(screen), bounds),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Atelier',
    icon: files.icon,
    // On Wayland what is painted before its window is shown may never be taken, and then nothing is painted after it.
    show: !isHidden && isOnWayland(),
    // A page that is painted takes itself for seen, and asks again and again for what it shows.
    paintWhenInitiallyHidden: !isHidden,
    backgroundColor: backgroundColor(),
    autoHideMenuBar: true,
    webPreferences: {
      preload: files.preload,
      additionalArguments: isMain ? [] : [CONVERSATION_WINDOW],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: true, // for previews; `will-attach-webview` refuses every other
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  })
  if (maximized) window.once('show', () => window.maximize())
  if (!isHidden) window.once('ready-to-show', () => window.show())
  if (isMain) rememberBounds(window, files.bounds)
  followDisplays(window, screen)
  followTheme(window)
  offerContextMenu(window.webContents)
  reloadAfterCrash(window)
  void window.loadURL(addressOf(route ?? ''))
  return window
}

const BESIDE = { width: 900, height: 840, step: 32 }

/** A little lower than the main window, so that both can be seen. */
function placeBeside(main: BrowserWindow | null): Rectangle | undefined {
  if (!main) return undefined
  const { x, y } = main.getNormalBounds()
  return { x: x + BESIDE.step, y: y + BESIDE.step, width: BESIDE.width, height: BESIDE.height }
}

function backgroundColor(): string {
  return nativeTheme.shouldUseDarkColors ? WINDOW_BACKGROUND.dark : WINDOW_BACKGROUND.light
}

function followTheme(window: BrowserWindow): void {
  const follow = (): void => window.setBackgroundColor(backgroundColor())
  nativeTheme.on('updated', follow)
  window.on('closed', () => nativeTheme.off('updated', follow))
}

const CRASHES_IN_A_ROW = 3
const ROW_MS = 60_000

/** The service runs outside the page, so a crashed page loses nothing; it comes back, unless it keeps crashing. */
function reloadAfterCrash(window: BrowserWindow): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = Date.now()
    crashes = [...crashes.filter(time => now - time < ROW_MS), now]
    if (crashes.length < CRASHES_IN_A_ROW) window.webContents.reload()
    // Nobody has seen it.
    if (!window.isVisible() && crashes.length < CRASHES_IN_A_ROW) return
    void reportCrash(window, crashes.length >= CRASHES_IN_A_ROW)
  })
}

async function reportCrash(window: BrowserWindow, stopped: boolean): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: stopped ? t('pageKeepsFailing') : t('pageWasLoadedAgain'),
    detail: t('workGoesOn'),
    buttons: stopped ? [t('loadAgain'), t('quit')] : [t('ok')],
    cancelId: 0,
  })
  if (stopped && response === 1) app.quit()
  else if (stopped && !window.isDestroyed()) window.webContents.reload()
}

/** Shows another page of the app; the page's own routes are behind the hash, so nothing is loaded anew. */
export function showPage(window: BrowserWindow, route: string): void {
  void window.loadURL(addressOf(route))
}

function addressOf(route: string): string {
  return route ? `${APP_PAGE}#${route}` : APP_PAGE
}
