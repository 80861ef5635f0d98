import { resolve } from 'node:path'
import envPaths from 'env-paths'

/** Where the desktop app and the headless service keep everything unless told otherwise. */
export function defaultDataDir(): string {
  return envPaths('Atelier', { suffix: '' }).data
}

/** The data folder that the environment names, or else the default one. */
export function dataDirOf(env: { ATELIER_DATA_DIR?: string | undefined }): string {
  return resolve(env.ATELIER_DATA_DIR || defaultDataDir())
}
