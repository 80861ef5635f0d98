import type { EngineUsage } from '../docker/engine.ts'

/** Names that Atelier gives to images. */
export interface KnownImages {
  /** The one that comes with this version. */
  bundled: string | null
  /** Those of the sandbox specs, the default's first. */
  ofSpecs: readonly string[]
}

/**
 * Images that Atelier has brought into the engine, that no container needs, and that the next conversation does not begin
 * with: those of other specs, and the bundled ones of earlier versions.
 */
export function unusedImages(
  { bundled, ofSpecs }: KnownImages,
  images: EngineUsage['images'],
): { names: string[]; bytes: number }[] {
  const [first, ...others] = ofSpecs.map(whole)
  const own = bundled === null ? undefined : whole(bundled)
  const isKept = (name: string) => name === first || name === own
  const isKnown = (name: string) => others.includes(name) || (own && repositoryOf(name) === repositoryOf(own))
  return images.filter(({ names, bytes, isUsed }) => {
    const all = names.map(whole)
    // One that has a name of somebody else's, too, would not go.
    return !isUsed && bytes > 0 && all.length > 0 && all.every(name => isKnown(name) && !isKept(name))
  })
}

/** Engines write the same name with and without what is understood by itself. */
function whole(reference: string): string {
  const short = reference.replace(/^docker\.io\//, '').replace(/^library\//, '')
  return /[:@][^/]*$/.test(short) ? short : `${short}:latest`
}

function repositoryOf(reference: string): string {
  return reference.replace(/[:@][^/]*$/, '')
}
