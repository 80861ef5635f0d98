import { LABEL } from '../docker/container/labels.ts'
import type { EngineUsage } from '../docker/usage.ts'
import { isDevContainerImage, isSavedImage } from './build/image-names.ts'

/** By which Atelier knows images as its own. */
export interface KnownImages {
  /** The one that comes with this version. */
  bundled: string | null
  /** Those of the sandbox specs, the default's first. */
  ofSpecs: readonly string[]
  /** Another Atelier on this engine has dev containers of its own. */
  instanceId: string
}

/**
 * Images that Atelier has brought into the engine, that no container needs, and that the next conversation does not begin
 * with: those of other specs, those of dev containers, and the bundled ones of earlier versions.
 */
export function unusedImages(
  { bundled, ofSpecs, instanceId }: KnownImages,
  images: EngineUsage['images'],
): EngineUsage['images'] {
  const [first, ...others] = ofSpecs.map(whole)
  const own = bundled === null ? undefined : whole(bundled)
  const isKept = (name: string) => name === first || name === own || isSavedImage(name)
  const isKnown = (name: string) => others.includes(name) || (own && repositoryOf(name) === repositoryOf(own))
  return images.filter(({ names, labels, bytes, isUsed }) => {
    const all = names.map(whole)
    // One that has a name of somebody else's, too, would not go.
    const isOwn = (name: string) => isDevContainerImage(name) && labels[LABEL.instance] === instanceId
    return !isUsed && bytes > 0 && all.length > 0 && all.every(name => (isKnown(name) || isOwn(name)) && !isKept(name))
  })
}

/** Whether it is the image that comes with some version. */
export function isOfBundled({ bundled }: Pick<KnownImages, 'bundled'>, name: string): boolean {
  return bundled !== null && repositoryOf(whole(name)) === repositoryOf(whole(bundled))
}

/** Engines write the same name with and without what is understood by itself. */
function whole(reference: string): string {
  const short = reference.replace(/^(?:docker\.io|localhost)\//, '').replace(/^library\//, '')
  return /[:@][^/]*$/.test(short) ? short : `${short}:latest`
}

function repositoryOf(reference: string): string {
  return reference.replace(/[:@][^/]*$/, '')
}
