import type { PipedProcess, SandboxHandle } from '../domain/sandbox-handle.ts'

export const VIEWPORT = { width: 1280, height: 800 } as const

/**
 * The protocol goes over the pipes of the process itself: no port is opened that others could use. What the browser
 * prints must not get between its messages.
 */
const LAUNCH = `
profile=$1; shift
mkdir -p "$profile" && rm -f "$profile"/Singleton*
exec "$@" 3<&0 4>&1 </dev/null >/dev/null`

/**
 * The container is the browser's sandbox: its own needs rights that no container gives. All frames of a page are kept
 * in one process, so that one tree holds them. Nothing is fetched that no page asked for.
 */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-sync',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-breakpad',
  '--disable-default-apps',
  '--disable-smooth-scrolling',
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,Prerender2,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--use-mock-keychain',
  `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
]

/** Starts a browser with a profile folder of its own, which is kept between starts. */
export function launchBrowser(
  sandbox: SandboxHandle,
  { executable, profile }: { executable: string; profile: string },
  signal: AbortSignal,
): Promise<PipedProcess> {
  const flags = [...FLAGS, `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank']
  return sandbox.openPiped({ argv: ['/bin/sh', '-c', LAUNCH, 'sh', profile, executable, ...flags], cwd: '/', signal })
}
