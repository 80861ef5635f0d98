import { createHash } from 'node:crypto'

const BUILT = 'atelier-build'
const SAVED = 'atelier-saved'
const DEV_CONTAINER = 'atelier-dev-container'
const HASH_CHARACTERS = 16

/** Of the image of a spec that has a Dockerfile: another one for each that it was given. */
export function builtImage(specId: string, dockerfile: string): string {
  const hash = createHash('sha256').update(dockerfile).digest('hex').slice(0, HASH_CHARACTERS)
  return `${BUILT}:${specId}-${hash}`
}

export function isBuiltImage(reference: string): boolean {
  return reference.startsWith(`${BUILT}:`)
}

/** Of an image that was built for a dev container. */
export function devContainerImage(tag: string): string {
  return `${DEV_CONTAINER}:${tag}`
}

export function isDevContainerImage(reference: string): boolean {
  return /^(?:localhost\/)?atelier-dev-container:/.test(reference)
}

/** Of the image of a service that is built from a repository. @param owner tells the services of all sandboxes apart */
export function serviceImage(owner: string, digest: string): string {
  return `atelier-service:${owner}-${digest.slice(0, 2 * HASH_CHARACTERS)}`
}

export function isServiceImage(reference: string): boolean {
  return /^(?:localhost\/)?atelier-service:/.test(reference)
}

/** Of the image of a spec that was saved from a sandbox or imported, which nothing can bring again. */
export function savedImage(specId: string): string {
  return `${SAVED}:${specId}`
}

export function isSavedImage(reference: string): boolean {
  return /^(?:localhost\/)?atelier-saved:/.test(reference)
}
