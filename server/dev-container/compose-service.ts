import { posix } from 'node:path'
import { z } from 'zod'
import { isImageReference } from '../api/v1/sandbox/image-reference.ts'
import { isFields } from '../compose/document.ts'
import { readEnvFile } from '../compose/env-file.ts'
import { environmentFields } from '../compose/fields.ts'
import { pathInside, rebasedPath } from '../compose/paths.ts'
import { mergeServices, readComposeFile } from '../compose/plan.ts'
import { ComposeProblem } from '../compose/problem.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { Configuration } from './configuration.ts'
import type { RepositoryTree } from './tree.ts'

const text = z.string().max(1000)

/** What of a service makes a sandbox, or is refused for one. */
const service = z.object({
  image: text.optional(),
  build: z
    .union([
      text.transform(context => ({ context, dockerfile: undefined, target: undefined, args: undefined })),
      z.object({
        context: text.default('.'),
        dockerfile: text.optional(),
        target: text.optional(),
        args: environmentFields.optional(),
      }),
    ])
    .optional(),
  environment: environmentFields.nullish(),
  user: z.union([text, z.number().transform(String)]).optional(),
  volumes: z.array(z.unknown()).nullish().catch([]),
  privileged: z.unknown().optional(),
  cap_add: z.unknown().optional(),
  security_opt: z.unknown().optional(),
})

/**
 * A dev container that is a service of a compose file, as if its configuration said what the service does; any other as it is.
 * The other services are no part of it: those of a project are started beside its sandbox.
 * @param path of the configuration in the repository @throws AppError bad_request in words
 */
export async function withComposeService(
  configuration: Configuration,
  { path, tree, signal }: { path: string; tree: Pick<RepositoryTree, 'text'>; signal: AbortSignal },
): Promise<Configuration> {
  const { dockerComposeFile, service: name } = configuration
  if (dockerComposeFile === undefined || configuration.image || configuration.build || configuration.dockerFile) {
    return configuration
  }
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
  try {
    if (!name) throw new ComposeProblem('It names no service of its compose file.')
    const files = filesOf(dockerComposeFile, folder)
    const [first = ''] = files
    const place = posix.dirname(first) === '.' ? '' : posix.dirname(first)
    const variables = readEnvFile((await tree.text(posix.join(place, '.env'), BOUNDS.composeFile.limit, signal)) ?? '')
    let services = new Map()
    for (const file of files) {
      const content = await tree.text(file, BOUNDS.composeFile.limit, signal)
      if (content === undefined) throw new ComposeProblem(`${file} is not there, or larger than 128 KiB.`)
      services = mergeServices(services, readComposeFile(content, variables).services)
    }
    const fields = services.get(name)
    if (!isFields(fields)) throw new ComposeProblem(`${first} has no service ${name.slice(0, 60)}.`)
    return asService(configuration, fields, { from: place, to: folder })
  } catch (error) {
    if (!(error instanceof ComposeProblem)) throw error
    throw new AppError('bad_request', `The service of the dev container cannot be used. ${error.message}`)
  }
}

function filesOf(asked: unknown, folder: string): string[] {
  const named = Array.isArray(asked) ? asked : [asked]
  if (named.length === 0 || named.length > BOUNDS.composeFiles.limit) {
    throw new ComposeProblem('Its `dockerComposeFile` cannot be read.')
  }
  return named.map(file => {
    const inside = typeof file === 'string' ? pathInside(file, folder) : undefined
    if (inside) return inside
    throw new ComposeProblem('Its `dockerComposeFile` names something that is no file of the repository.')
  })
}

/** @param places folder of the compose file, and that of the configuration, from which its paths are meant */
function asService(
  configuration: Configuration,
  fields: unknown,
  { from, to }: { from: string; to: string },
): Configuration {
  const { data } = service.safeParse(fields)
  if (!data) throw new ComposeProblem('Its fields cannot be read.')
  const { dockerComposeFile: _read, ...own } = configuration
  const { image, build, environment, user, volumes, privileged, cap_add, security_opt } = data
  // The repository itself is there in any case.
  const mounts = (volumes ?? []).filter(each => !(typeof each === 'string' && each.startsWith('.')))
  const said = {
    ...own,
    containerEnv: { ...environment, ...own.containerEnv },
    ...(user !== undefined && own.containerUser === undefined && { containerUser: user }),
    mounts: [own.mounts ?? [], mounts].flat(),
    ...(privileged !== undefined && { privileged }),
    ...(cap_add !== undefined && { capAdd: cap_add }),
    ...(security_opt !== undefined && { securityOpt: security_opt }),
  }
  if (build) {
    const { context, dockerfile = 'Dockerfile', target, args } = build
    const rebased = (path: string) => rebasedPath(path, from, to)
    return {
      ...said,
      build: {
        context: rebased(context),
        dockerfile: rebased(posix.join(context, dockerfile)),
        ...(target !== undefined && { target }),
        ...(args && { args }),
      },
    }
  }
  if (!image || !isImageReference(image)) throw new ComposeProblem('It names neither a usable image nor a `build`.')
  return { ...said, image }
}
