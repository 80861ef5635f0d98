import { join, resolve } from 'node:path'
import envPaths from 'env-paths'

/** Where the desktop app and the headless service keep everything unless told otherwise. */
export function defaultDataDir(): string {
  return envPaths('Atelier', { suffix: '' }).data
}

/** The data folder that the environment names, or else the default one. */
export function dataDirOf(env: { ATELIER_DATA_DIR?: string | undefined }): string {
  return resolve(env.ATELIER_DATA_DIR || defaultDataDir())
}

/** The desktop app's own part of a data folder, which nothing else makes. */
export function windowFolder(dataDir: string): string {
  return join(dataDir, 'window')
}

/**
 * Files that say, as long as they are there, that data is still to be deleted, also after a process has died. The service and the
 * desktop app have one each, as neither can delete what the other has open.
 */
export function erasureMarks(dataDir: string): { service: string; desktop: string } {
  return { service: join(dataDir, 'erasing'), desktop: join(dataDir, 'erasing-window') }
}
