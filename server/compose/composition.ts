import { posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import type { Fields, Tree } from './document.ts'
import { readEnvFile } from './env-file.ts'
import { nameOfInclude, readInclude, rebasedService } from './include.ts'
import { mergeServices, readComposeFile } from './plan.ts'
import { ComposeProblem } from './problem.ts'
import type { ProjectFiles } from './project-files.ts'
import type { LeftOutService } from './service-plan.ts'

/** Compose files that belong together, and what is known where they are read. */
export interface Part {
  texts: readonly string[]
  /** From which their paths are meant, from the root of the repository. */
  folder: string
  variables: ReadonlyMap<string, string>
}

export interface Composition {
  /** Each as the files have it, its paths from the folder of the part. */
  services: Map<string, Fields>
  leftOut: LeftOutService[]
}

/**
 * The services of a part, with those of the files that it includes: what it says itself is over what they say. A file is
 * included once, so that none includes itself. @throws ComposeProblem, and what reading does
 */
export async function composed({ texts, folder, variables }: Part, files: ProjectFiles): Promise<Composition> {
  const leftOut: LeftOutService[] = []
  let services = new Map<string, Fields>()
  for (const text of texts) {
    const file = readComposeFile(text, variables)
    for (const entry of file.includes.slice(0, BOUNDS.composeFiles.limit)) {
      const found = await included(entry, { folder, variables }, files)
      leftOut.push(...found.leftOut)
      for (const [name, fields] of found.services) {
        if (!services.has(name)) services.set(name, fields)
        else
          leftOut.push({ name, reason: `${nameOfInclude(entry)} describes it as well as another file. Leave one out.` })
      }
    }
    services = mergeServices(services, file.services)
  }
  return { services, leftOut }
}

/** What cannot be included is left out in words, and the rest is there. */
async function included(
  entry: Tree,
  { folder, variables }: Omit<Part, 'texts'>,
  files: ProjectFiles,
): Promise<Composition> {
  try {
    const include = readInclude(entry, folder)
    if (include.paths.every(path => files.has(path))) return { services: new Map(), leftOut: [] }
    const asked = [...include.paths, ...(include.envFiles ?? ['.env'])]
    if (files.count + asked.length > BOUNDS.composeFiles.limit) {
      throw new ComposeProblem(`Only ${BOUNDS.composeFiles.limit} files are read for the services of a repository.`)
    }
    const texts = await files.readNamed(include.paths)
    const own = include.envFiles
      ? await files.readNamed(include.envFiles)
      : [await files.readIfThere(posix.join(include.folder, '.env'))]
    // The including project has the last word.
    const known = new Map([...own.flatMap(text => [...readEnvFile(text ?? '')]), ...variables])
    const found = await composed({ texts, folder: include.folder, variables: known }, files)
    const services = [...found.services].map(
      ([name, fields]) => [name, rebasedService(fields, include.folder, folder)] as const,
    )
    return { services: new Map(services), leftOut: found.leftOut }
  } catch (error) {
    if (!(error instanceof ComposeProblem)) throw error
    return { services: new Map(), leftOut: [{ name: nameOfInclude(entry), reason: error.message }] }
  }
}
