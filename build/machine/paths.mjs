import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export const projectFolder = resolve(import.meta.dirname, '..', '..')
export const outFolder = join(projectFolder, 'out')

/**
 * What is slow to make and belongs to no clone: the engine's data, the sandbox image, the Electron runtime.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (env.ATELIER_CACHE_DIR) return resolve(env.ATELIER_CACHE_DIR)
  const home = env.HOME || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Atelier')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Atelier', 'Cache')
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'atelier')
}
