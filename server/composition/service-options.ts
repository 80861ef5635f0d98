import type { Activity } from '../conversation/activity.ts'
import type { Log } from '../log.ts'
import type { FindProxy } from '../outbound/proxies.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import type { Vault } from '../secret/vault/vault.ts'
import type { StorageAnswer } from '../store/recovery/open.ts'
import type { Power } from './power.ts'

export interface ServiceOptions {
  dataDir: string
  /** 0 is any free port; a taken one falls back to a free one. */
  port: number
  gatewayPort: number
  previewPort: number
  /** Holds the bundled sandbox image and the demonstration. */
  resourcesDir: string
  /** At most so many sandboxes are prepared before anybody asks for one; 0 to 3. */
  preparedSandboxes: number
  /** The window's files, to be served to a browser; null for the API alone. */
  rendererDir: string | null
  /** Stays the caller's to close, as the log does. */
  vault: Vault
  /** Whose folders hold the user's own skills; the home of whoever runs this when absent. */
  userHome?: string
  apiKey: LocalApiKey
  /** Origins beside those of this machine's web servers, like the window's own. */
  allowedOrigins: string[]
  version: string
  /** What to do if there is no usable database, decided before it is asked: see `ATELIER_DATABASE`. */
  storageAnswer?: StorageAnswer | undefined
  findProxy: FindProxy
  log: Log
  /** Called whenever `activity` may say something else. Must not throw. */
  onActivity?: () => void
  /** Called before and after the data folder is opened anew, which may take long. Must not throw. */
  onReopening?: (isReopening: boolean) => void
  /** Gives the log what hides secrets in its lines, once they are known. */
  maskLog?: (mask: (text: string) => string) => void
}

/** One opening of a data folder. */
export interface OpenService extends Power {
  url: string
  gatewayUrl: string
  activity(): Activity
  /** In how many terminals of people a program runs, which would end with the service. Never rejects, and takes two seconds at most. */
  busyTerminals(): Promise<number>
  /** Makes a backup before another version is installed. @returns its name @throws AppError as `Backups.make` does */
  backUp(): Promise<string>
  close(): Promise<void>
}
