import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import pino from 'pino'
import { DEFAULT_ENGINE } from '../../server/api/v1/system/engines.ts'
import { Bus, type Change } from '../../server/bus.ts'
import { thisMachine } from '../../server/docker/candidates.mjs'
import { EngineConnection } from '../../server/docker/connection.ts'
import { type EngineSearch, findEngine } from '../../server/docker/socket.ts'
import { ImageBuilder } from '../../server/sandbox/build/builder.ts'
import { SavedSpecs } from '../../server/sandbox/build/saved-specs.ts'
import { SpecBuilds } from '../../server/sandbox/build/spec-builds.ts'
import { SpecImages } from '../../server/sandbox/build/spec-images.ts'
import { EngineSandboxes } from '../../server/sandbox/engine/sandboxes.ts'
import { mountPolicyContext } from '../../server/sandbox/files/mounts.ts'
import { readBundledImage, SandboxImages } from '../../server/sandbox/image.ts'
import { LastKnown } from '../../server/sandbox/reconcile/last-known.ts'
import { SandboxService } from '../../server/sandbox/service.ts'
import type { ImageSettings } from '../../server/sandbox/spec.ts'
import { SpecExports } from '../../server/sandbox/spec-file/exports.ts'
import { SpecImports } from '../../server/sandbox/spec-file/imports.ts'
import { Turns } from '../../server/sandbox/spec-file/turns.ts'
import { SandboxSpecs } from '../../server/sandbox/specs.ts'
import { Database } from '../../server/store/database/database.ts'
import { SandboxIdlePauses } from '../../server/store/sandbox/idle-pauses.ts'
import { SandboxNetworkTable } from '../../server/store/sandbox/networks.ts'
import { RemovalRecords } from '../../server/store/sandbox/removals.ts'
import { SandboxSpecTable } from '../../server/store/sandbox/specs.ts'
import { SandboxStates } from '../../server/store/sandbox/states.ts'

export const resourcesDir = join(import.meta.dirname, '..', '..', 'out', 'resources')

export interface Parts {
  bus: Bus
  connection: EngineConnection
  images: SandboxImages
  specs: SandboxSpecs
  builder: ImageBuilder
  specImages: SpecImages
  builds: SpecBuilds
  savedSpecs: SavedSpecs
  specExports: SpecExports
  specImports: SpecImports
  sandboxes: SandboxService
  /** The same of the one engine that there is. */
  engineSandboxes: EngineSandboxes
  /** The engine as the docker CLI sees it: what is done through it comes from outside. */
  outside: Docker
  instanceId: string
  settings: ImageSettings
  /** After how long without use sandboxes are paused. */
  idle: { minutes: number | null }
  /** How many may run at once. */
  running: { limit: number | null }
  idlePauses: SandboxIdlePauses
  /** How many sandboxes are prepared from the next change on; none at first. */
  prepare(limit: number): void
  /** As a person saves them in the settings. */
  allowHosts(...hosts: string[]): void
  /** Ends the service, as the app's end does. Sandboxes stay. */
  stop(): Promise<void>
  /** Ends the service and removes its sandboxes. */
  close(): Promise<void>
}

export interface PartsOptions {
  instanceId?: string
  /** Where the bundled image is, if not where the build puts it. */
  resourcesDir?: string
  find?: (signal: AbortSignal) => Promise<EngineSearch>
  /** How long a minute is to what pauses idle sandboxes. */
  minuteMs?: number
}

/** The service's parts that make sandboxes, with the real engine and the real bundled image. */
export async function startParts(options: PartsOptions = {}): Promise<Parts> {
  const log = pino({ level: 'silent' })
  const bus = new Bus()
  const connection = new EngineConnection({ bus, log, find: options.find ?? findHere })
  await connection.start()
  const images = new SandboxImages({
    connection,
    bus,
    log,
    bundled: await readBundledImage(options.resourcesDir ?? resourcesDir),
    build: (reference, onProgress, signal) => builds.build(reference, onProgress, signal),
  })
  const settings: ImageSettings = { base: null, runtime: null, resourceFactor: null }
  const folder = mkdtempSync(join(tmpdir(), 'atelier-sandbox-parts-'))
  const database = Database.open(join(folder, 'atelier.db'))
  let allowedHosts: readonly string[] = []
  const preparing = { limit: 0 }
  const idle: Parts['idle'] = { minutes: null }
  const running: Parts['running'] = { limit: null }
  const idlePauses = new SandboxIdlePauses(database)
  const prepare = (limit: number) => {
    preparing.limit = limit
    bus.publish({ resource: 'settings' })
  }
  const allowHosts = (...hosts: string[]) => {
    allowedHosts = hosts
    bus.publish({ resource: 'settings' })
  }
  const specs = new SandboxSpecs({
    images,
    table: new SandboxSpecTable(database),
    bus,
    imageSettings: async () => settings,
    isEngine: id => id === DEFAULT_ENGINE,
    mountGround: () => mountPolicyContext(folder, connection),
  })
  const instanceId = options.instanceId ?? `test-${randomBytes(6).toString('hex')}`
  const engineSandboxes = new EngineSandboxes({
    engineId: DEFAULT_ENGINE,
    connection,
    bus,
    log,
    instanceId,
    images,
    specs,
    removals: new RemovalRecords(database).of(DEFAULT_ENGINE),
    policies: new SandboxNetworkTable(database),
    lastKnown: new LastKnown(new SandboxStates(database, DEFAULT_ENGINE), log),
    allowedHosts: () => allowedHosts,
    preparedLimit: async () => preparing.limit,
    idlePauses,
    idleMinutes: () => idle.minutes,
    runningLimit: () => running.limit,
    ...(options.minuteMs !== undefined && { minuteMs: options.minuteMs }),
    sessionKeyFor: id => `key-of-${id}`,
    agentServerUrl: () => null,
  })
  const engine = { id: DEFAULT_ENGINE, sandboxes: engineSandboxes }
  const sandboxes = new SandboxService({ engines: { all: () => [engine], get: () => engine }, specs })
  const builder = new ImageBuilder({
    connection,
    images,
    instanceId,
    hold: name => sandboxes.hold(name),
    allowedHosts: () => allowedHosts,
    resourceFactor: () => specs.resourceFactor(),
  })
  const builds: SpecBuilds = new SpecBuilds({ builder, images, specs, instanceId, bus, log })
  const specImages = new SpecImages({ connection, specs, builds, instanceId, bus, log })
  const savedSpecs = new SavedSpecs({
    ...{ engineId: DEFAULT_ENGINE, connection, sandboxes, specs, specImages, instanceId },
  })
  const turns = new Turns()
  const specExports = new SpecExports({ connection, images, specs, mask: text => text, turns, log })
  const specImports = new SpecImports({ connection, images, specs, specImages, instanceId, turns, log })
  specImages.start()
  await engineSandboxes.listen()
  const outside = outsideDocker()
  const stop = async (): Promise<void> => {
    await specImages.close()
    await engineSandboxes.close()
    await images.close()
    await connection.close()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const close = async (): Promise<void> => {
    await stop()
    const label = [`dev.atelier.instance=${instanceId}`]
    const left = await outside.listContainers({ all: true, filters: { label } })
    await Promise.all(
      left.map(each => outside.getContainer(each.Id).remove({ force: true, v: true }).catch(unlessGone)),
    )
  }
  return {
    bus,
    connection,
    images,
    specs,
    builder,
    specImages,
    builds,
    savedSpecs,
    specExports,
    specImports,
    sandboxes,
    engineSandboxes,
    outside,
    instanceId,
    settings,
    idle,
    running,
    idlePauses,
    prepare,
    allowHosts,
    stop,
    close,
  }
}

function findHere(signal: AbortSignal): Promise<EngineSearch> {
  return findEngine(thisMachine(), signal)
}

export function outsideDocker(): Docker {
  const host = process.env.DOCKER_HOST ?? ''
  if (!host.startsWith('unix://')) throw new Error('These tests need DOCKER_HOST=unix://…')
  return new Docker({ socketPath: host.slice('unix://'.length) })
}

/** A test may have removed it, or be doing so. */
function unlessGone(error: unknown): void {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status !== 404 && status !== 409) throw error
}

/** Resolves with what `read` gives once it is not undefined, asking again at each change that the bus publishes. */
export async function until<T>(bus: Bus, read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const waiting: (() => void)[] = []
  const off = bus.subscribe((_change: Change) => {
    for (const wake of waiting.splice(0)) wake()
  })
  try {
    for (;;) {
      const changed = new Promise<void>(resolve => waiting.push(resolve))
      const value = await read()
      if (value !== undefined) return value
      await changed
    }
  } finally {
    off()
  }
}

/** An image with `/bin/sh` and nothing else, not even `sleep` or `cat`: made of the shell of a running sandbox. */
export async function importBareImage(parts: Parts, reference: string): Promise<void> {
  const { id } = await parts.sandboxes.start()
  const sandbox = await parts.sandboxes.open(id)
  const script = `d=/tmp/bare; mkdir -p $d/bin $d/tmp; cp -L /bin/sh $d/bin/sh
for l in $(ldd /bin/sh | grep -o '/[^ ]*'); do mkdir -p "$d$(dirname "$l")"; cp -L "$l" "$d$l"; done
tar -C $d -cf /tmp/bare.tar .`
  const made = await sandbox.exec({ argv: ['/bin/sh', '-c', script] })
  if (made.exitCode !== 0) throw new Error(made.stderr)
  const tar = await sandbox.readFile('/tmp/bare.tar', { maxBytes: 50 * 2 ** 20 })
  const [repo, tag] = reference.split(':')
  await importTar(parts.outside, tar, { repo, tag })
  await parts.sandboxes.delete(id)
}

/** The library's types know only a path here. */
async function importTar(
  docker: Docker,
  tar: Buffer,
  name: { repo: string | undefined; tag: string | undefined },
): Promise<void> {
  const importer = docker as unknown as {
    importImage(file: Buffer, options: typeof name): Promise<AsyncIterable<Buffer>>
  }
  for await (const _line of await importer.importImage(tar, name));
}
