import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isReplaceable } from './folder.ts'
import { canBecomeRoot } from './root.ts'

/** Who builds a package puts this into its resources; docs/release.md says how. */
export interface UpdateFeed {
  /** A folder of a web server, which ends with a slash. */
  url: URL
  /** Ed25519, 32 bytes each in base64. One of them has signed what the feed says. */
  publicKeys: readonly string[]
}

/** How this installation is replaced; `manual` where only a person can. */
export type PackageKind = 'deb' | 'rpm' | 'tar' | 'nsis' | 'manual'

const feedFile = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .refine(isSafe)
    .transform(url => new URL(url.endsWith('/') ? url : `${url}/`)),
  publicKeys: z
    .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/))
    .min(1)
    .max(8),
})

/** @returns undefined where the package was built without a feed, null where what it says cannot be used */
export function readFeed(resources: string): UpdateFeed | null | undefined {
  const file = join(resources, 'updates.json')
  if (!existsSync(file)) return undefined
  try {
    return feedFile.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** The packages for Linux say what they are; on Windows the installer that can be run again leaves its way out beside the app. */
export function packageKindOf(resources: string, platform: NodeJS.Platform = process.platform): PackageKind {
  const app = dirname(resources)
  if (platform === 'win32') return existsSync(join(app, 'Uninstall Atelier.exe')) ? 'nsis' : 'manual'
  const kind = platform === 'linux' ? typeIn(resources) : ''
  if (kind === 'deb' || kind === 'rpm') return canBecomeRoot() ? kind : 'manual'
  return kind === 'tar' && isReplaceable(app) ? kind : 'manual'
}

function typeIn(resources: string): string {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim()
  } catch {
    return ''
  }
}

/** The signature guards what is installed; TLS also hides who asks and keeps an old answer from being played again. */
function isSafe(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost'
}
