import { z } from 'zod'
import { isSecretName } from '../../api/secret-names.ts'
import { holdsUrlWithPassword } from '../../api/url-credentials.ts'
import { imageReference, isPersonalImage } from '../../api/v1/sandbox/image-reference.ts'
import { type SandboxSpecRequest, sandboxSpecDefinition, sandboxSpecRequest } from '../../api/v1/sandbox/specs.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { checkDockerfile } from '../build/dockerfile.ts'
import type { SandboxSpec } from '../spec.ts'

/** First entry of a file of a sandbox spec. */
export const DESCRIPTION = 'spec.json'

const FORMAT = 'atelier-sandbox-spec'
const VERSION = 1

/** `bundled`: the image that comes with the Atelier that reads it. `built`: from the Dockerfile, there. `included`: in the file. */
const exportedImage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('named'), reference: imageReference }),
  z.object({ kind: z.literal('bundled') }),
  z.object({ kind: z.literal('built') }),
  z.object({ kind: z.literal('included') }),
])
export type ExportedImage = z.output<typeof exportedImage>

const exportedFields = sandboxSpecDefinition.pick({
  title: true,
  dockerfile: true,
  command: true,
  working_dir: true,
  initial_env: true,
  limits: true,
  network: true,
  allowlist: true,
  runtime: true,
  caches: true,
})

const MAX_LEFT_OUT = 200
const MAX_NAME_LENGTH = 200

/** What belongs to the machine, or is secret: paths in the sandbox of mounted folders, and names of variables. */
const leftOut = z.object({
  mounts: z.array(z.string().max(4096)).max(20).default([]),
  variables: z.array(z.string().max(MAX_NAME_LENGTH)).max(MAX_LEFT_OUT).default([]),
})
export type LeftOut = z.output<typeof leftOut>

export const specDescription = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exported_at: z.iso.datetime(),
  image: exportedImage,
  spec: exportedFields,
  left_out: leftOut,
})
export type SpecDescription = z.output<typeof specDescription>

/** Whether its value may go to others. */
export function isPlainVariable(name: string, value: string): boolean {
  return !isSecretName(name) && !holdsUrlWithPassword(value)
}

/**
 * @param imageVariables of an image that goes along
 * @param mask takes secrets that are known out of a text
 */
export function describeSpec(
  spec: SandboxSpec,
  { image, imageVariables }: { image: ExportedImage; imageVariables: Readonly<Record<string, string>> },
  mask: (text: string) => string,
): SpecDescription {
  const variables = Object.entries(spec.initialEnv)
  const isPlain = ([name, value]: [string, string]) => isPlainVariable(name, value)
  const all = [...variables, ...Object.entries(imageVariables)]
  return {
    format: FORMAT,
    version: VERSION,
    exported_at: new Date().toISOString(),
    image,
    spec: {
      title: spec.title,
      dockerfile: spec.dockerfile && mask(spec.dockerfile),
      command: spec.command?.map(mask),
      working_dir: spec.workingDir,
      initial_env: Object.fromEntries(variables.filter(isPlain).map(([name, value]) => [name, mask(value)])),
      limits: { ...spec.limits },
      network: spec.network,
      allowlist: { presets: [...spec.allowlist.presets], hosts: [...spec.allowlist.hosts] },
      runtime: spec.runtime,
      caches: [...spec.caches],
    },
    left_out: {
      mounts: spec.mounts.map(mount => mount.container_path),
      variables: [...new Set(all.filter(each => !isPlain(each)).map(([name]) => name))]
        .filter(fits)
        .slice(0, MAX_LEFT_OUT),
    },
  }
}

/** An image has any number of them, with names of any length. */
function fits(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH
}

/** @throws AppError too_large */
export function writeDescription(what: SpecDescription): Buffer {
  const bytes = Buffer.from(JSON.stringify(what, null, 2))
  if (bytes.length <= BOUNDS.specFileDescription.limit) return bytes
  const message = 'The sandbox spec is too large for a file.'
  throw new AppError(
    'too_large',
    `${message} Shorten its environment, its command or its Dockerfile, then export again.`,
  )
}

/** @throws AppError bad_request, in words for whoever chose the file */
export function readDescription(bytes: Buffer): SpecDescription {
  const read = parsed(bytes)
  const kind = z.object({ format: z.literal(FORMAT), version: z.int() }).safeParse(read)
  if (!kind.success) throw notSpecFile()
  if (kind.data.version > VERSION) {
    const message = 'A newer version of Atelier has written this file.'
    throw new AppError('bad_request', `${message} Update Atelier, then import the file again.`)
  }
  const { data, error } = specDescription.safeParse(read)
  if (data) return data
  const [issue] = error.issues
  throw notUsable(`${issue?.path.join('.')}: ${issue?.message}`)
}

/** What is saved of it. @throws AppError bad_request for what no spec of this machine could have either */
export function requestOf({ spec }: SpecDescription, image: string | null): SandboxSpecRequest {
  const { data, error } = sandboxSpecRequest.safeParse({ ...spec, image, mounts: [] })
  if (data) return data
  const [issue] = error.issues
  throw notUsable(`${issue?.path.join('.')}: ${issue?.message}`)
}

/** An image of sandboxes of this machine has files that the file has no right to. */
export function checkNamed(reference: string): void {
  if (isPersonalImage(reference)) throw notUsable('it names an image of a sandbox, and does not hold it')
}

/** What is made upon it has files of a sandbox of one machine. @throws AppError bad_request for a Dockerfile that is refused */
export function personalBase(dockerfile: string): string | undefined {
  return checkDockerfile(dockerfile, { buildArgs: {}, labels: {} }).baseImages.find(isPersonalImage)
}

export function notSpecFile(): AppError {
  const next = 'Choose one that Atelier has exported: its name ends in .atelier-spec.tar.'
  return new AppError('bad_request', `This is no file of a sandbox spec. ${next}`)
}

export function damagedFile(reason: string): AppError {
  const next = 'Copy the file again, or export the sandbox spec anew.'
  return new AppError('bad_request', `The file is damaged or incomplete: ${reason}. ${next}`)
}

function notUsable(reason: string): AppError {
  return new AppError('bad_request', `The sandbox spec in the file cannot be used: ${reason}. Export it anew.`)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
