import { z } from 'zod'

/** What package managers have downloaded, at their usual place below the home of whoever works in the sandbox. */
export const SANDBOX_CACHES = {
  npm: '.npm',
  pip: '.cache/pip',
  cargo: '.cargo/registry',
  go: 'go/pkg/mod',
  maven: '.m2/repository',
  gradle: '.gradle/caches',
} as const

export type SandboxCache = keyof typeof SANDBOX_CACHES

export const CACHE_NAMES = Object.keys(SANDBOX_CACHES) as [SandboxCache, ...SandboxCache[]]

export const CACHES_MEANING =
  'Downloads of package managers that all sandboxes of the spec share. One sandbox can change what another one installs from there. Turning one off, or removing the spec, deletes it once no sandbox needs it.'

export const sandboxCaches = z
  .array(z.enum(CACHE_NAMES))
  .max(CACHE_NAMES.length)
  .refine(names => new Set(names).size === names.length, 'a cache is named twice')
