import { app } from 'electron'

const PLATFORM = 'ozone-platform'

/**
 * Chromium shows windows through X11 unless its command line says otherwise, and ends where there is none. That is settled before this
 * runs, so the app starts itself anew. Where a desktop has both, X11 stays: input methods work through it on every desktop.
 * @returns whether another start takes the place of this one
 */
export function restartsForWayland(env: NodeJS.ProcessEnv): boolean {
  if (process.platform !== 'linux' || env.DISPLAY || !env.WAYLAND_DISPLAY) return false
  if ([PLATFORM, `${PLATFORM}-hint`].some(name => app.commandLine.hasSwitch(name))) return false
  app.relaunch({ args: [`--${PLATFORM}=wayland`, ...process.argv.slice(1)] })
  app.exit(0)
  return true
}

export function isOnWayland(): boolean {
  return app.commandLine.getSwitchValue(PLATFORM) === 'wayland'
}
