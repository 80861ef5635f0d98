import { posix } from 'node:path'
import type { DevContainerOffer, LeftOutReason } from '../api/v1/sandbox/dev-containers.ts'
import { isPersonalImage } from '../api/v1/sandbox/image-reference.ts'
import { AppError } from '../domain/errors.ts'
import {
  COMMANDS,
  type CommandName,
  type Configuration,
  type DevContainerCommand,
  type Feature,
  type Metadata,
} from './configuration.ts'

/** A property that is not done, and of which feature it is; null for the configuration's own. */
export interface LeftOut {
  property: string
  feature: string | null
  reason: LeftOutReason
}

/** Why each of them is never done. */
const REASONS: Readonly<Record<string, LeftOutReason>> = {
  initializeCommand: 'runs_on_host',
  runArgs: 'engine_options',
  privileged: 'privileges',
  capAdd: 'privileges',
  securityOpt: 'privileges',
  mounts: 'mounts',
  workspaceMount: 'mounts',
  dockerComposeFile: 'compose',
  entrypoint: 'not_supported',
  postAttachCommand: 'not_supported',
  appPort: 'not_supported',
}

export function leftOutOf(configuration: Configuration, features: readonly Feature[] = []): LeftOut[] {
  const { build, hostRequirements } = configuration
  const nested = [
    ['build.options', build?.options, 'engine_options'],
    ['build.cacheFrom', build?.cacheFrom, 'engine_options'],
    ['hostRequirements.gpu', hostRequirements?.gpu, 'not_supported'],
    ['hostRequirements.storage', hostRequirements?.storage, 'not_supported'],
  ] as const
  return [
    ...leftOutIn(configuration, null),
    ...nested.filter(([, value]) => isSaid(value)).map(([property, , reason]) => ({ property, feature: null, reason })),
    ...features.flatMap(each => leftOutIn(each, each.id)),
  ]
}

function leftOutIn(said: object, feature: string | null): LeftOut[] {
  const values = said as Record<string, unknown>
  return Object.entries(REASONS)
    .filter(([property]) => isSaid(values[property]))
    .map(([property, reason]) => ({ property, feature, reason }))
}

/** An empty list asks for nothing. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
}

/** What the image is made of: a Dockerfile of the repository, or an image as it is. */
export type ImageOrigin =
  | { kind: 'image'; image: string }
  | {
      kind: 'dockerfile'
      /** Paths in the repository; '' is its root. */
      dockerfile: string
      context: string
      target: string | undefined
      args: Readonly<Record<string, string>>
    }

/** @param path of the configuration @throws AppError bad_request in words */
export function originOf(configuration: Configuration, path: string): ImageOrigin {
  const { image, build, dockerFile, context } = configuration
  const dockerfile = build?.dockerfile ?? dockerFile
  if (dockerfile !== undefined) {
    const folder = posix.dirname(path)
    return {
      kind: 'dockerfile',
      dockerfile: inRepository(folder, dockerfile, 'dockerfile'),
      context: inRepository(folder, build?.context ?? context ?? '.', 'context'),
      target: build?.target,
      args: build?.args ?? {},
    }
  }
  if (image !== undefined && isPersonalImage(image)) {
    throw new AppError(
      'bad_request',
      `${path} begins with ${image}, an image of a sandbox of yours. Let it name another.`,
    )
  }
  if (image !== undefined) return { kind: 'image', image }
  throw new AppError('bad_request', 'The dev container names neither an image nor a Dockerfile. Add one of them.')
}

/** @throws AppError bad_request for what leads out of the repository */
function inRepository(folder: string, path: string, property: string): string {
  const found = posix.normalize(posix.join(folder, path.replaceAll('\\', '/'))).replace(/\/+$/, '')
  if (path.startsWith('/') || found === '..' || found.startsWith('../')) {
    throw new AppError('bad_request', `The ${property} of the dev container lies outside of the repository.`)
  }
  return found === '.' ? '' : found
}

/** What a container is in the end: what its image, its features and the configuration say, the last one first. */
export interface Merged {
  user: string | undefined
  containerEnv: Readonly<Record<string, string>>
  remoteEnv: Readonly<Record<string, string | null>>
  commands: { name: CommandName; command: DevContainerCommand }[]
}

export function merge(all: readonly Metadata[]): Merged {
  const last = (key: 'remoteUser' | 'containerUser') => all.findLast(each => each[key])?.[key]
  return {
    user: last('remoteUser') ?? last('containerUser'),
    containerEnv: present(Object.assign({}, ...all.map(({ containerEnv }) => containerEnv))),
    remoteEnv: Object.assign({}, ...all.map(({ remoteEnv }) => remoteEnv)),
    commands: COMMANDS.flatMap(name =>
      all.flatMap(each => {
        const command = each[name]
        return command ? [{ name, command }] : []
      }),
    ),
  }
}

function present(env: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/** `${containerEnv:NAME}` and `${containerEnv:NAME:default}` with what the image says; the command line leaves them. */
export function environmentOf(
  { containerEnv, remoteEnv }: Pick<Merged, 'containerEnv' | 'remoteEnv'>,
  ofImage: Readonly<Record<string, string>>,
): Record<string, string> {
  const before = { ...ofImage, ...containerEnv }
  const expanded = (value: string) =>
    value.replace(/\$\{containerEnv:(\w+)(?::([^}]*))?\}/g, (_all, name: string, fallback = '') =>
      Object.hasOwn(before, name) ? (before[name] ?? '') : fallback,
    )
  const remote = Object.entries(present({ ...remoteEnv })).map(([name, value]) => [name, expanded(value)])
  return { ...containerEnv, ...Object.fromEntries(remote) }
}

const UNITS: Readonly<Record<string, number>> = { tb: 1024 ** 4, gb: 1024 ** 3, mb: 1024 ** 2, kb: 1024, '': 1 }

/** As `hostRequirements.memory` has it, like `8gb`. */
export function bytesOf(text: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text?.trim() ?? '') ?? []
  const factor = UNITS[unit.toLowerCase()]
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}

const MAX_PORT_ATTRIBUTES = 200

/** TCP ports of the container; one of another host is none. */
export function portsOf({ forwardPorts = [] }: Pick<Configuration, 'forwardPorts'>): number[] {
  const ports = forwardPorts.map(port => Number(/^(?:localhost:)?(\d{1,5})$/.exec(String(port))?.[1]))
  return [...new Set(ports.filter(port => port >= 1 && port <= 65_535))]
}

/** Of single ports; ranges and expressions are for whoever forwards what a program listens on. */
export function portAttributesOf({ portsAttributes = {} }: Configuration): DevContainerOffer['port_attributes'] {
  return Object.entries(portsAttributes)
    .slice(0, MAX_PORT_ATTRIBUTES)
    .flatMap(([key, { label, onAutoForward }]) => {
      const [port] = portsOf({ forwardPorts: [key] })
      return port === undefined ? [] : [{ port, label: label ?? null, on_auto_forward: onAutoForward ?? null }]
    })
}
