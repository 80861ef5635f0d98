import { posix } from 'node:path'
import type { Fields } from './document.ts'
import { type BuildFields, buildOf as readBuild } from './fields.ts'
import { pathInside } from './paths.ts'
import { ComposeProblem } from './problem.ts'
import type { ServiceBuild } from './service-plan.ts'

const WHOLE = 'It is built from this repository: it is the project itself, which runs in the sandbox.'

/** Its steps would reach more than those of other builds, or take files from elsewhere. */
const REFUSED = [
  'additional_contexts',
  'entitlements',
  'extra_hosts',
  'isolation',
  'network',
  'privileged',
  'secrets',
  'ssh',
] as const

/**
 * From which folder of the repository a service is built.
 * @param folder of the compose file, from the root of the repository
 * @param dockerfiles by their path from there, as far as they are there
 * @returns null for a service that names an image alone
 * @throws ComposeProblem
 */
export function serviceBuild(
  build: BuildFields | null | undefined,
  { folder, dockerfiles }: { folder: string; dockerfiles: ReadonlyMap<string, string> },
): ServiceBuild | null {
  if (!build) return null
  const refused = REFUSED.find(name => build[name] !== undefined)
  if (refused) throw new ComposeProblem(`Its \`build.${refused}\` is not supported here. Leave it out.`)
  const context = contextOf(build, folder)
  const path = dockerfileOf(build, context)
  const dockerfile = build.dockerfile_inline ?? dockerfiles.get(path)
  if (dockerfile === undefined) {
    throw new ComposeProblem(`Its Dockerfile ${path.slice(0, 100)} is not there, or larger than 128 KiB.`)
  }
  return { context, dockerfile, args: build.args ?? {}, target: build.target ?? null }
}

/** Paths of the Dockerfiles that services name, from the root of the repository. */
export function dockerfilePaths(services: ReadonlyMap<string, Fields>, folder: string): string[] {
  const paths = [...services.values()].flatMap(fields => {
    const build = readBuild(fields)
    try {
      return build && build.dockerfile_inline === undefined ? [dockerfileOf(build, contextOf(build, folder))] : []
    } catch (error) {
      if (error instanceof ComposeProblem) return []
      throw error
    }
  })
  return [...new Set(paths)]
}

function contextOf({ context }: BuildFields, folder: string): string {
  if (/^[\w+.-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(context)) {
    throw new ComposeProblem('It is built from an address. Only a folder of the repository can be built from.')
  }
  const inside = pathInside(context, folder)
  if (inside === undefined) {
    throw new ComposeProblem(`It is built from ${context.slice(0, 100)}, which lies outside of the repository.`)
  }
  // What a dev container is built from is where the project is worked on.
  if (inside === '' || inside.split('/')[0] === '.devcontainer') throw new ComposeProblem(WHOLE)
  return inside
}

function dockerfileOf({ dockerfile = 'Dockerfile' }: BuildFields, context: string): string {
  const inside = pathInside(dockerfile, context)
  if (inside) return posix.normalize(inside)
  throw new ComposeProblem(`Its Dockerfile ${dockerfile.slice(0, 100)} lies outside of the repository.`)
}
