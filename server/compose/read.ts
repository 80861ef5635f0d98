import { posix } from 'node:path'
import { BOUNDS } from '../domain/bounds.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { dockerfilePaths } from './build.ts'
import { composed } from './composition.ts'
import { readEnvFile } from './env-file.ts'
import { envFilePaths, planServices } from './plan.ts'
import { ComposeProblem } from './problem.ts'
import { type ProjectFile, ProjectFiles } from './project-files.ts'
import type { ComposePlan } from './service-plan.ts'

/** In the order in which Compose looks for them. https://docs.docker.com/compose/intro/compose-application-model/ */
const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'] as const
/** The root of a repository, and where a dev container has its own. */
const FOLDERS = ['', '.devcontainer'] as const

/** What a repository says of its services. */
export interface ComposeProject {
  /** The files that say it: the compose file first. */
  files: ProjectFile[]
  plan: ComposePlan
  /** Why none of them can be started, in a sentence. */
  problem: string | null
}

/**
 * Reads the compose file of the repository in `root`, and what it includes, through the engine and not by a program of the
 * sandbox. @returns null where there is none
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function readProject(
  sandbox: Pick<SandboxHandle, 'readFile' | 'stat'>,
  root: string,
  signal: AbortSignal,
): Promise<ComposeProject | null> {
  const found = await composeFile(sandbox, root)
  if (!found) return null
  const { path, folder } = found
  const files = new ProjectFiles(sandbox, root, signal)
  const override = path.replace(/(\.ya?ml)$/, '.override$1')
  const [main, over, env] = await files.read([path, override, posix.join(folder, '.env')])
  try {
    if (!main) throw new ComposeProblem('It is empty, or larger than 128 KiB.')
    const part = { texts: over ? [main, over] : [main], folder, variables: readEnvFile(env ?? '') }
    const { services, leftOut } = await composed(part, files)
    const named = envFilePaths(services, folder).slice(0, BOUNDS.services.limit)
    const built = dockerfilePaths(services, folder).slice(0, BOUNDS.services.limit)
    const [envFiles, dockerfiles] = [await textsOf(named, files), await textsOf(built, files)]
    const plan = planServices(services, { folder, envFiles, dockerfiles })
    return { files: files.all, plan: { ...plan, leftOut: [...leftOut, ...plan.leftOut] }, problem: null }
  } catch (error) {
    if (!(error instanceof ComposeProblem)) throw error
    return { files: files.all, plan: { services: [], leftOut: [] }, problem: `${path}: ${error.message}` }
  }
}

/** By path, of those that are there. */
async function textsOf(paths: readonly string[], files: ProjectFiles): Promise<Map<string, string>> {
  const texts = await files.read(paths)
  return new Map(paths.flatMap((path, index) => (texts[index] == null ? [] : [[path, texts[index]] as const])))
}

async function composeFile(
  sandbox: Pick<SandboxHandle, 'stat'>,
  root: string,
): Promise<{ path: string; folder: string } | undefined> {
  const candidates = FOLDERS.flatMap(folder => NAMES.map(name => ({ path: posix.join(folder, name), folder })))
  const stats = await Promise.all(candidates.map(({ path }) => sandbox.stat(posix.join(root, path))))
  return candidates.find((_, index) => stats[index]?.kind === 'file')
}
