import { join } from 'node:path'
import { app, BrowserWindow, dialog, Menu, powerMonitor, type Session, session, shell } from 'electron'
import { localeFor } from '../server/api/languages.ts'
import { type Config, readConfig } from '../server/config.ts'
import { defaultDataDir, windowFolder } from '../server/data-dir.ts'
import { isHiddenStart } from './background/autostart.ts'
import { HIDDEN_SWITCH } from './background/autostart-entry.ts'
import { AppBackground } from './background/background.ts'
import { ChoiceFile } from './background/choices.ts'
import { restartAfterCrash } from './crash.ts'
import { prepareGraphics } from './display/graphics.ts'
import { Downloads } from './downloads/downloads.ts'
import { eraseRest, isRestToErase } from './erasure.ts'
import { offerRestartOfHanging } from './hang.ts'
import { CHANNELS } from './ipc.ts'
import { answerWindows } from './ipc-main.ts'
import { menuTemplate } from './menu.ts'
import { handedOver, type Opening, openingOf, openingOfOther, openingRoute } from './opening/start.ts'
import { type HandedOver, hearSystem } from './opening/system.ts'
import { answerProxies } from './preview/session.ts'
import { registerAppScheme } from './protocol.ts'
import { closeBeforeQuit, type Quit } from './quit.ts'
import { lockContents, lockSession, openInBrowser } from './security.ts'
import type { ServiceProcess, ServiceProcessOptions } from './service/child.ts'
import { createServiceHost, type ServiceHost } from './service/host.ts'
import { offerShortcuts } from './shortcuts.ts'
import { speak, t } from './text.ts'
import { showsTrays } from './tray/host.ts'
import { openUpdates } from './updates/open.ts'
import type { Updates } from './updates/updates.ts'
import { Windows } from './window/windows.ts'

export interface AppParts {
  /** The folder that holds `electron/preload.cjs` and what runs in processes of its own. */
  bundle: string
  /** The folder of what the build adds: documents, the demonstration, icons. */
  resources: string
  env: NodeJS.ProcessEnv
  /** Answers requests for the window's own pages. */
  servePages: (session: Session) => void
  startService: (options: ServiceProcessOptions) => Promise<ServiceProcess>
}

/** Runs the desktop app. Must be called before Electron is ready. */
export function runApp({ bundle, resources, env, servePages, startService }: AppParts): void {
  // Until the window says which is chosen. What it cannot know is the language of a start that fails.
  speak(localeFor(null, app.getPreferredSystemLanguages()).language)
  const config = configOrQuit(env)
  if (!config) return
  app.setPath('userData', windowFolder(config.dataDir))
  const opening = openingOf(process.argv, process.cwd(), app.isPackaged)
  if (!app.requestSingleInstanceLock(handedOver(opening))) {
    app.quit()
    return
  }
  prepareApp()
  eraseRest(config.dataDir, env)
  const choices = new ChoiceFile(join(windowFolder(config.dataDir), 'background.json'))
  prepareGraphics(choices)
  const handed = hearSystem()
  const host = createServiceHost((lastUrl, listeners) =>
    startService({
      config: lastUrl === null ? config : { ...config, port: Number(new URL(lastUrl).port) },
      defaultDataDir: defaultDataDir(),
      version: app.getVersion(),
      resourcesDir: resources,
      file: join(bundle, 'electron', 'service-process.js'),
      keychainProcess: join(bundle, 'server', 'keychain-process.js'),
      ...listeners,
      proxyOfSystem,
    }),
  )
  const updates = openUpdates({
    resources,
    dataDir: config.dataDir,
    backUp: host.backUp,
    isServing: () => host.url() !== null,
    proxyOfSystem,
  })
  const quit = closeBeforeQuit(host, updates)
  const { dataDir } = config
  const parts = { bundle, resources, env, dataDir, choices, host, quit, updates, servePages, opening, handed }
  void app.whenReady().then(() => showApp(parts))
}

function configOrQuit(env: NodeJS.ProcessEnv): Config | undefined {
  try {
    return readConfig(env)
  } catch (error) {
    dialog.showErrorBox(t('cannotStart'), error instanceof Error ? error.message : String(error))
    app.exit(1)
    return undefined
  }
}

/** As Chromium reads it from the desktop, or where there is none from the environment. */
async function proxyOfSystem(origin: string): Promise<string> {
  await app.whenReady()
  return session.defaultSession.resolveProxy(origin)
}

function prepareApp(): void {
  // As root Chromium has to run without its sandbox, and asking for both makes every child process fail.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.setAppUserModelId('dev.atelier.app') // Windows shows no notification without it
  registerAppScheme()
  lockContents(app)
  // What a page of a sandbox names is looked up there alone: a hint of it would be looked up here, past every proxy.
  app.commandLine.appendSwitch(
    'host-resolver-rules',
    `MAP * ~NOTFOUND, ${OWN_HOSTS.map(host => `EXCLUDE ${host}`).join(', ')}`,
  )
  // Chromium would ask the keyring for a key to encrypt cookies with. There are none, and a locked keyring would prompt.
  app.commandLine.appendSwitch('password-store', 'basic')
}

/** The service, and previews in the browser of this computer, which tests look at from here. */
const OWN_HOSTS = ['127.0.0.1', 'localhost', '*.localhost']

interface WindowParts extends Pick<AppParts, 'bundle' | 'resources' | 'env' | 'servePages'> {
  dataDir: string
  choices: ChoiceFile
  host: ServiceHost
  quit: Quit
  updates: Updates
  /** What to begin with. */
  opening: Opening | undefined
  handed: HandedOver
}

function showApp({
  bundle,
  resources,
  env,
  dataDir,
  choices,
  host,
  quit,
  updates,
  servePages,
  opening,
  handed,
}: WindowParts): void {
  const downloads = new Downloads()
  lockSession(session.defaultSession, downloads)
  servePages(session.defaultSession)
  const goesOn = async () => choices.current.tray && choices.current.keepRunning && (await showsTrays(env))
  const files = {
    preload: join(bundle, 'electron', 'preload.cjs'),
    icon: join(resources, 'icon.png'),
    bounds: join(windowFolder(dataDir), 'place.json'),
  }
  const windows = new Windows(files, goesOn)
  const background = new AppBackground({ choices, env, host, quit, resources, windows })
  const show = (route?: string) => windows.show(route)
  powerMonitor.on('suspend', host.suspend)
  powerMonitor.on('resume', host.resume)
  restartAfterCrash(host, windows)
  offerRestartOfHanging(host, windows)
  answerProxies(app, host.connect)
  const refreshMenus = () => {
    setMenu(host, quit, dataDir, show)
    background.refresh()
  }
  quit.onChange(refreshMenus)
  app.on('browser-window-created', (_event, window) => showMenuBar(window, quit))
  // `npm run dev` starts the app itself.
  const beginAnew = () => {
    const begins = app.isPackaged && isRestToErase(dataDir)
    if (begins) quit.startAgain()
    return begins
  }
  answerWindows({ connect: host.connect, onLanguage: refreshMenus, windows, background, updates, downloads, beginAnew })
  updates.start(shown => windows.send(CHANNELS.updatesChanged, shown))
  setMenu(host, quit, dataDir, show)
  app.on('window-all-closed', async () => {
    if (await goesOn()) windows.openHidden()
    else if (process.platform !== 'darwin') app.quit()
  })
  app.on('second-instance', (_event, argv, _cwd, handed) => {
    if (argv.includes(HIDDEN_SWITCH)) return
    const next = openingOfOther(handed, argv.slice(1))
    show(next && openingRoute(next))
  })
  app.on('activate', () => show())
  const first = handed.first() ?? opening
  const isHidden = first === undefined && choices.current.tray && isHiddenStart(process.argv)
  if (isHidden) windows.openHidden()
  else show(first && openingRoute(first))
  // Beside the first paint; also when the page cannot load, for other tools.
  void host.connect().catch(() => {}) // the page asks too, and shows the reason
  // Without an icon nobody would know that the app is there.
  if (isHidden) void background.isSeen().then(isSeen => isSeen || show())
  handed.onNext(next => show(openingRoute(next)))
}

function setMenu(host: ServiceHost, quit: Quit, dataDir: string, show: (route: string) => void): void {
  const actions = {
    show,
    openApiDocumentation: () => openInBrowser(`${host.url() ?? ''}/docs`),
    openLogs: () => void shell.openPath(join(dataDir, 'logs')),
    stay: quit.stay,
  }
  const template = menuTemplate(process.platform, !app.isPackaged, actions, quit.isAwaited())
  offerShortcuts(() => show('/'))
  app.setAboutPanelOptions({ credits: t('summary') })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  for (const window of BrowserWindow.getAllWindows()) showMenuBar(window, quit)
}

/** Hidden until a key is pressed, the bar would not say that the app is going to quit. */
function showMenuBar(window: BrowserWindow, quit: Quit): void {
  window.setAutoHideMenuBar(!quit.isAwaited())
  window.setMenuBarVisibility(quit.isAwaited())
}
