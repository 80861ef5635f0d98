import type { Bus } from '../bus.ts'
import { thisMachine } from '../docker/candidates.mjs'
import { EngineConnection } from '../docker/connection.ts'
import { findEngine } from '../docker/socket.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings/service.ts'
import type { Database } from '../store/database/database.ts'
import { SandboxNetworkTable } from '../store/sandbox/networks.ts'
import { SandboxRemovals } from '../store/sandbox/removals.ts'
import { SandboxSpecTable } from '../store/sandbox/specs.ts'
import { SandboxStates } from '../store/sandbox/states.ts'
import { mountPolicyContext } from './files/mounts.ts'
import { readBundledImage, SandboxImages } from './image.ts'
import { ImagePrograms } from './image-programs.ts'
import { LastKnown } from './reconcile/last-known.ts'
import { SandboxService, type SandboxServiceOptions } from './service.ts'
import type { ImageSettings } from './spec.ts'
import { SandboxSpecs } from './specs.ts'

export interface OpenSandboxesOptions
  extends Pick<SandboxServiceOptions, 'instanceId' | 'sessionKeyFor' | 'agentServerUrl'> {
  dataDir: string
  /** Holds the bundled image. */
  resourcesDir: string
  bus: Bus
  log: Log
  database: Database
  settings: { read(): Settings }
  /** At most so many are prepared before anybody asks for one. */
  preparedSandboxes: number
}

/** The engine, its images and its sandboxes, known and followed. `close` leaves the sandboxes as they are. */
export async function openSandboxes(options: OpenSandboxesOptions) {
  const { bus, log, database, settings } = options
  const bundled = await readBundledImage(options.resourcesDir)
  const connection = new EngineConnection({
    bus,
    log,
    find: (signal, round) => findEngine(thisMachine(), signal, round),
  })
  const images = new SandboxImages({ connection, bus, log, bundled })
  const mountGround = () => mountPolicyContext(options.dataDir, connection)
  const specs = new SandboxSpecs({
    images,
    table: new SandboxSpecTable(database),
    bus,
    imageSettings: async () => imageSettings(settings.read()),
    mountGround,
  })
  const { instanceId, sessionKeyFor, agentServerUrl } = options
  const own = { instanceId, sessionKeyFor, agentServerUrl }
  const sandboxes = new SandboxService({
    connection,
    bus,
    log,
    images,
    specs,
    removals: new SandboxRemovals(database),
    policies: new SandboxNetworkTable(database),
    lastKnown: new LastKnown(new SandboxStates(database), log),
    allowedHosts: () => settings.read().allowed_hosts,
    preparedLimit: () => (settings.read().prepare_sandboxes ? options.preparedSandboxes : 0),
    ...own,
  })
  const closing = new AbortController()
  const hold = (name: string) => sandboxes.hold(name)
  const programs = new ImagePrograms({ connection, images, instanceId, hold, signal: closing.signal })
  await connection.start()
  images.start()
  await sandboxes.listen()
  const close = async () => {
    closing.abort()
    await sandboxes.close()
    await images.close()
    await connection.close()
  }
  return { connection, images, specs, sandboxes, programs, mountGround, close }
}

function imageSettings(settings: Settings): ImageSettings {
  return {
    base: settings.sandbox_base_container_image,
    runtime: settings.sandbox_runtime_container_image,
    resourceFactor: settings.remote_runtime_resource_factor,
  }
}
