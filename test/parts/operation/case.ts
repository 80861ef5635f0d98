import type { ErrorCode, IN_VAULT } from '../../../server/api/contract/failures.ts'
import type { SettingsPatch } from '../../../server/api/v1/settings/settings.ts'
import type { MODEL_FAULTS } from '../unreliable-model.ts'

/**
 * `new`: nothing was saved yet. `full`: as many sandbox specs as there may be. `given key`: SESSION_API_KEY is set; `own key`: it
 * is not, and nobody needs it again.
 */
export type OtherService = 'new' | 'full' | 'given key' | 'own key'

/** A request to one operation. `$name` in the place of a text is what `Furnished.resolve` has under that name. */
export interface OperationCase {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  /** A form with these files, in fields named `files` on the app's port and `file` on the gateway's. */
  files?: Record<string, string>
  /** The body as it is, whatever it may be. */
  raw?: string
  /** Its media type, if not JSON. */
  type?: string
  /**
   * Whose key is sent; on the gateway, and where a route asks for one, the furnished sandbox's if nothing is said. `broken` is
   * that of a sandbox that does not start.
   */
  key?: 'app' | 'sandbox' | 'broken'
  headers?: Record<string, string>
  /** Names of what must have been made before, though the request does not say them. */
  needs?: readonly string[]
  /** Saved before, and taken back after it. `$untrusted` is a model's address with a certificate of its own. */
  settings?: SettingsPatch
  /** The keychain does not answer, and says so. */
  vault?: (typeof IN_VAULT)[number]
  /** What the model does about it. */
  model?: keyof typeof MODEL_FAULTS
  service?: OtherService
  /** What the reply has at least. */
  reply?: unknown
}

/** How an operation succeeds, and what makes it fail otherwise; a failure says only what differs from the success. */
export interface OperationCases {
  success: OperationCase
  /** Why it never succeeds; `success` is then what the failures begin with. */
  never?: string
  failures?: { [Code in ErrorCode]?: OperationCase | readonly OperationCase[] }
}

export type CaseTable = Readonly<Record<string, OperationCases>>
