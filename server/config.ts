import { z } from 'zod'
import { STORAGE_CHOICES } from './api/v1/system/storage.ts'
import { dataDirOf } from './data-dir.ts'
import { AppError } from './domain/errors.ts'

/** What the environment may set; the desktop app reads the same variables. */
export interface Config {
  dataDir: string
  /** 0 is any free port. */
  port: number
  gatewayPort: number
  previewPort: number
  sessionApiKey: string | null
  logLevel: z.output<typeof logLevel>
  /** Print a one-time login link for a browser when ready. */
  loginLink: boolean
  /** At most so many sandboxes are prepared before anybody asks for one. */
  preparedSandboxes: number
  /** `session` keeps keys in memory only. */
  vault: 'keychain' | 'session'
  /** What to do if the database is missing or damaged for good; undefined asks. */
  storageAnswer: z.output<typeof storageAnswer>
}

/** Each takes about 15 MB of the engine's memory while it waits. */
const MAX_PREPARED = 3

const port = z.coerce.number().int().min(0).max(65535)
const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])

/** `restore`, `restore:NAME`, `adopt` or `new`. */
const storageAnswer = z
  .string()
  .regex(/^(adopt|new|restore(:[\w.-]+)?)$/)
  .transform(text => {
    const [choice, backup = null] = text.split(':')
    return { choice: z.enum(STORAGE_CHOICES).parse(choice), backup }
  })
  .optional()

const environment = z.object({
  ATELIER_DATA_DIR: z.string().min(1).optional(),
  ATELIER_PORT: port.default(3737),
  ATELIER_GATEWAY_PORT: port.default(3738),
  ATELIER_PREVIEW_PORT: port.default(3739),
  SESSION_API_KEY: z.string().min(1).optional(),
  ATELIER_LOG_LEVEL: logLevel.default('info'),
  ATELIER_LOGIN_LINK: z.enum(['0', '1']).default('0'),
  ATELIER_DATABASE: storageAnswer,
  ATELIER_PREPARED_SANDBOXES: z.coerce.number().int().min(0).max(MAX_PREPARED).default(MAX_PREPARED),
  ATELIER_VAULT: z.enum(['keychain', 'session']).default('keychain'),
})

/** @throws AppError bad_request naming the variable, never its value */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = environment.safeParse(set)
  if (!result.success) {
    const names = result.error.issues.map(issue => String(issue.path[0])).join(', ')
    throw new AppError('bad_request', `The environment variable ${names} has a value that cannot be used.`)
  }
  const { data } = result
  return {
    dataDir: dataDirOf(data),
    port: data.ATELIER_PORT,
    gatewayPort: data.ATELIER_GATEWAY_PORT,
    previewPort: data.ATELIER_PREVIEW_PORT,
    sessionApiKey: data.SESSION_API_KEY ?? null,
    logLevel: data.ATELIER_LOG_LEVEL,
    loginLink: data.ATELIER_LOGIN_LINK === '1',
    preparedSandboxes: data.ATELIER_PREPARED_SANDBOXES,
    vault: data.ATELIER_VAULT,
    storageAnswer: data.ATELIER_DATABASE,
  }
}
