import { join } from 'node:path'
import { app, type BrowserWindow, dialog, Menu, session, shell } from 'electron'
import { type Config, readConfig } from '../server/config.ts'
import { defaultDataDir } from '../server/data-dir.ts'
import { answerWindow } from './ipc-main.ts'
import { menuTemplate } from './menu.ts'
import { bringToFront } from './notifications.ts'
import { registerAppScheme, serveAppScheme } from './protocol.ts'
import { closeBeforeQuit } from './quit.ts'
import { lockContents, lockSession, openInBrowser } from './security.ts'
import { createServiceHost, type ServiceHost } from './service-host.ts'
import { openWindow, showPage } from './window.ts'

/** Runs the desktop app. Must be called before Electron is ready. `bundle` is the folder that holds `electron/main.js`'s. */
export function runApp(bundle: string, env: NodeJS.ProcessEnv): void {
  const config = configOrQuit(env)
  if (!config) return
  app.setPath('userData', join(config.dataDir, 'window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  beforeReady()
  const resources = app.isPackaged ? process.resourcesPath : join(bundle, 'resources')
  const host = createServiceHost({
    config,
    defaultDataDir: defaultDataDir(),
    env,
    version: app.getVersion(),
    resourcesDir: resources,
    keychainProcess: join(bundle, 'server', 'keychain-process.js'),
  })
  closeBeforeQuit(host)
  void app.whenReady().then(() => showApp({ bundle, resources, dataDir: config.dataDir, host }))
}

function configOrQuit(env: NodeJS.ProcessEnv): Config | undefined {
  try {
    return readConfig(env)
  } catch (error) {
    dialog.showErrorBox('Atelier cannot start', error instanceof Error ? error.message : String(error))
    app.exit(1)
    return undefined
  }
}

function beforeReady(): void {
  // As root Chromium has to run without its sandbox, and asking for both makes every child process fail.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.setAppUserModelId('dev.atelier.app') // Windows shows no notification without it
  registerAppScheme()
  lockContents(app)
  // Chromium would ask the keyring for a key to encrypt cookies with. There are none, and a locked keyring would prompt.
  app.commandLine.appendSwitch('password-store', 'basic')
}

interface Parts {
  bundle: string
  resources: string
  dataDir: string
  host: ServiceHost
}

function showApp({ bundle, resources, dataDir, host }: Parts): void {
  lockSession(session.defaultSession)
  serveAppScheme(session.defaultSession, join(bundle, 'renderer'))
  let window: BrowserWindow | undefined
  const show = (): BrowserWindow => {
    if (window) {
      bringToFront(window)
      return window
    }
    window = openWindow({
      preload: join(bundle, 'electron', 'preload.cjs'),
      icon: join(resources, 'icon.png'),
      place: join(dataDir, 'window', 'place.json'),
    })
    window.once('closed', () => {
      window = undefined
    })
    return window
  }
  answerWindow({ connect: host.connect, window: () => window })
  setMenu(host, dataDir, route => showPage(show(), route))
  app.on('second-instance', show)
  app.on('activate', show)
  // Not before the first paint, which it would hold up; also when the page cannot load, for other tools.
  const startService = () => void host.connect().catch(() => {}) // the page asks too, and shows the reason
  show().once('ready-to-show', startService).webContents.once('did-stop-loading', startService)
}

function setMenu(host: ServiceHost, dataDir: string, show: (route: string) => void): void {
  const template = menuTemplate(process.platform, !app.isPackaged, {
    show,
    openApiDocumentation: () => openInBrowser(`${host.url() ?? ''}/docs`),
    openLogs: () => void shell.openPath(join(dataDir, 'logs')),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
