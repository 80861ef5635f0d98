import { z } from 'zod'
import { imageReference } from '../api/v1/sandbox/image-reference.ts'
import { AppError } from '../domain/errors.ts'

const MAX_TEXT = 32_768
const text = z.string().max(MAX_TEXT)
const name = z.string().max(200)

const oneCommand = z.union([text, z.array(text).min(1).max(200)])
const MAX_COMMANDS = 50
const command = z.union([
  oneCommand,
  z.record(name, oneCommand).refine(each => Object.keys(each).length <= MAX_COMMANDS),
])
export type DevContainerCommand = z.output<typeof command>

const variables = z.record(z.string().regex(/^[A-Za-z_]\w{0,199}$/), z.union([text, z.null()]))

/** In the order in which they run: https://containers.dev/implementors/json_reference/#lifecycle-scripts */
export const COMMANDS = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand', 'postStartCommand'] as const
export type CommandName = (typeof COMMANDS)[number]

const commandOrNone = command.nullish().catch(undefined)
const commands = {
  onCreateCommand: commandOrNone,
  updateContentCommand: commandOrNone,
  postCreateCommand: commandOrNone,
  postStartCommand: commandOrNone,
} satisfies Record<CommandName, z.ZodType>

/** What a configuration, a feature and an image's label may all say: https://containers.dev/implementors/spec/#merge-logic */
const metadata = z.object({
  containerEnv: variables.optional(),
  remoteEnv: variables.optional(),
  containerUser: name.optional(),
  remoteUser: name.optional(),
  ...commands,
  // What is never done is looked for, and not read.
  privileged: z.unknown().optional(),
  capAdd: z.unknown().optional(),
  securityOpt: z.unknown().optional(),
  mounts: z.unknown().optional(),
  entrypoint: z.unknown().optional(),
  postAttachCommand: z.unknown().optional(),
})
export type Metadata = z.output<typeof metadata>

/** https://containers.dev/implementors/json_reference/#port-attributes */
const portAttributes = z
  .object({ label: name.optional().catch(undefined), onAutoForward: name.optional().catch(undefined) })
  .catch({})

const options = z.record(name, z.union([text, z.boolean(), z.number()]))

const configuration = metadata.extend({
  name: z.string().trim().max(200).optional(),
  image: imageReference.optional(),
  dockerFile: text.optional(),
  context: text.optional(),
  build: z
    .object({
      dockerfile: text.optional(),
      context: text.optional(),
      target: name.optional(),
      args: z.record(name, text).optional(),
      options: z.unknown().optional(),
      cacheFrom: z.unknown().optional(),
    })
    .optional(),
  features: z.record(z.string().max(500), z.union([options, text, z.boolean()])).optional(),
  workspaceFolder: z.string().max(1000).optional(),
  workspaceMount: z.unknown().optional(),
  forwardPorts: z
    .array(z.union([z.int(), name]))
    .max(200)
    .optional()
    .catch(undefined),
  hostRequirements: z
    .object({
      cpus: z.number().positive().optional(),
      memory: name.optional(),
      storage: z.unknown().optional(),
      gpu: z.unknown().optional(),
    })
    .optional(),
  dockerComposeFile: z.unknown().optional(),
  service: name.optional(),
  portsAttributes: z.record(name, portAttributes).optional().catch(undefined),
  initializeCommand: z.unknown().optional(),
  runArgs: z.unknown().optional(),
  appPort: z.unknown().optional(),
})
export type Configuration = z.output<typeof configuration>

const feature = metadata.extend({
  id: name,
  options: z.record(name, z.object({ default: z.union([text, z.boolean(), z.number()]).optional() })).optional(),
  value: z.union([options, text, z.boolean()]),
  included: z.boolean().optional(),
  /** Folder of this machine with its files. */
  cachePath: z.string(),
})
export type Feature = z.output<typeof feature>

const answer = z.object({
  configuration,
  workspace: z.object({ workspaceFolder: z.string() }).optional(),
  featuresConfiguration: z
    .object({
      featureSets: z.array(z.object({ features: z.array(feature), sourceInformation: z.unknown().optional() })).max(50),
      dstFolder: z.string().optional(),
    })
    .optional(),
})

export interface ReadConfiguration {
  configuration: Configuration
  /** Where it wants to be in the container. */
  workspaceFolder: string
  /** In the order in which they are installed. */
  features: Feature[]
}

/** @param printed by the command line of dev containers @throws AppError bad_request naming what does not fit */
export function parseConfiguration(printed: unknown): ReadConfiguration {
  const { data, error } = answer.safeParse(printed)
  if (error) {
    const [issue] = error.issues
    const path = issue?.path.filter(part => part !== 'configuration').join('.') ?? ''
    const what = `"${path.slice(0, 200)}" of devcontainer.json has a value that Atelier does not take.`
    throw new AppError('bad_request', `The dev container cannot be read. ${what} Correct it, or start without it.`)
  }
  const sets = data.featuresConfiguration?.featureSets ?? []
  return {
    configuration: data.configuration,
    workspaceFolder: data.configuration.workspaceFolder ?? data.workspace?.workspaceFolder ?? '',
    features: sets.flatMap(({ features }) => features.filter(({ included }) => included !== false)),
  }
}

/** Of an image that was made for dev containers; what cannot be read says nothing. */
export function parseMetadata(label: string | undefined): Metadata[] {
  if (label === undefined) return []
  try {
    const parsed: unknown = JSON.parse(label)
    const entries = Array.isArray(parsed) ? parsed : [parsed]
    return entries.slice(0, 200).flatMap(entry => metadata.safeParse(entry).data ?? [])
  } catch {
    return []
  }
}
