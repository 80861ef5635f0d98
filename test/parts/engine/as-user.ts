import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { asUser, ensureTestUser, readableCopy } from '../../../build/as-user.mjs'
import { desktopEnv } from '../window/desktop-app.ts'

export interface UserApp {
  /** Starts the app as that user, in a session of its own with an unlocked keyring. */
  program: { path: string; args: string[] }
  dataDir: string
  uid: number
  remove(): void
}

/** The packaged app for a user who is not root, made by root. */
export async function appAsUser(executable: string, env: NodeJS.ProcessEnv): Promise<UserApp> {
  const user = await ensureTestUser()
  const original = dirname(executable)
  const folder = readableCopy(original)
  const home = mkdtempSync(join(tmpdir(), 'atelier-user-'))
  const folders = { data: join(home, 'data'), runtime: join(home, 'run'), share: join(home, 'share') }
  for (const path of [home, ...Object.values(folders)]) {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o700)
    chownSync(path, user.uid, user.gid)
  }
  const given = { DOCKER_HOST: env.DOCKER_HOST, XDG_RUNTIME_DIR: folders.runtime, XDG_DATA_HOME: folders.share }
  const whole = desktopEnv(given, folders.data)
  const session = ['--', '/bin/sh', '-c', UNLOCKED, 'sh', join(folder, basename(executable))]
  const { command, args } = asUser('/usr/bin/dbus-run-session', session, whole)
  const path = `${home}.sh`
  writeFileSync(path, `#!/bin/sh\nexec ${[command, ...args].map(quote).join(' ')} "$@"\n`, { mode: 0o755 })
  return {
    program: { path, args: [] },
    dataDir: folders.data,
    uid: user.uid,
    remove: () => {
      rmSync(path)
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      if (folder !== original) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The bus of the session ends with the app, and the keyring with the bus. */
const UNLOCKED = 'printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"'

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
