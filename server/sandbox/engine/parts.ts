import { DEFAULT_ENGINE } from '../../api/v1/system/engines.ts'
import type { Bus } from '../../bus.ts'
import { type DiskWatch, readDisk } from '../../disk/space.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels } from '../../docker/container/labels.ts'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../../settings/service.ts'
import type { Database } from '../../store/database/database.ts'
import { SandboxConversations } from '../../store/sandbox/conversations.ts'
import type { SandboxIdlePauses } from '../../store/sandbox/idle-pauses.ts'
import type { SandboxNetworkTable } from '../../store/sandbox/networks.ts'
import type { RemovalRecords } from '../../store/sandbox/removals.ts'
import { SandboxStates } from '../../store/sandbox/states.ts'
import { ImageBuilder } from '../build/builder.ts'
import { SavedSpecs } from '../build/saved-specs.ts'
import { SpecBuilds } from '../build/spec-builds.ts'
import { SpecImages } from '../build/spec-images.ts'
import { type BundledImage, SandboxImages } from '../image.ts'
import { ImagePrograms } from '../image-programs.ts'
import { SandboxLogs } from '../log/logs.ts'
import { LastKnown } from '../reconcile/last-known.ts'
import { RemovableStorage } from '../removable/removable.ts'
import { SandboxServices, type SandboxServicesOptions } from '../services/services.ts'
import { SpecExports } from '../spec-file/exports.ts'
import { SpecImports } from '../spec-file/imports.ts'
import type { Turns } from '../spec-file/turns.ts'
import type { SandboxSpecs } from '../specs.ts'
import { EngineStorageService } from '../storage.ts'
import { removeObjects } from './clear.ts'
import { EngineSandboxes, type EngineSandboxesOptions } from './sandboxes.ts'

export interface EnginePartsOptions
  extends Pick<EngineSandboxesOptions, 'instanceId' | 'sessionKeyFor' | 'agentServerUrl'>,
    Pick<SandboxServicesOptions, 'foldersOf' | 'listening'> {
  bus: Bus
  log: Log
  database: Database
  settings: { read(): Settings }
  bundled: BundledImage | null
  specs: SandboxSpecs
  /** At most so many are prepared before anybody asks for one. */
  preparedSandboxes: number
  /** Takes secrets that are known out of a text. */
  mask(text: string): string
  /** Of the default engine. */
  engineDisk: Pick<DiskWatch, 'check'>
  shared: SharedParts
}

/** What is one for all engines: of a sandbox by its id, since its engine may come to be known under another entry. */
export interface SharedParts {
  removals: RemovalRecords
  policies: SandboxNetworkTable
  idlePauses: SandboxIdlePauses
  /** The bound on files of specs is that of the machine. */
  turns: Turns
}

export type EngineParts = ReturnType<typeof openEngineParts>

/** Everything that talks to one engine. Nothing of it knows of another one. The connection stays the caller's to close. */
export function openEngineParts(id: string, connection: EngineConnection, options: EnginePartsOptions) {
  const { bus, log, database, settings, bundled, specs, instanceId, shared } = options
  const { sessionKeyFor, agentServerUrl, foldersOf, listening } = options
  const engine = { engineId: id, connection, instanceId, bus, log, specs }
  const allowedHosts = () => settings.read().allowed_hosts
  const images = new SandboxImages({
    ...engine,
    bundled,
    build: (reference, onProgress, signal) => builds.build(reference, onProgress, signal),
  })
  const sandboxes = new EngineSandboxes({
    ...engine,
    images,
    removals: shared.removals.of(id),
    policies: shared.policies,
    lastKnown: new LastKnown(new SandboxStates(database, id), log),
    allowedHosts,
    idlePauses: shared.idlePauses,
    idleMinutes: () => settings.read().pause_idle_after || null,
    runningLimit: () => settings.read().max_running_sandboxes,
    // Where the next conversation is likely to begin.
    preparedLimit: async () =>
      settings.read().prepare_sandboxes && (await specs.engineOf(null)) === id ? options.preparedSandboxes : 0,
    sessionKeyFor,
    agentServerUrl,
  })
  const closing = new AbortController()
  const hold = (name: string) => sandboxes.hold(name)
  const resourceFactor = () => specs.resourceFactor()
  const builder = new ImageBuilder({ ...engine, images, hold, allowedHosts, resourceFactor })
  const builds: SpecBuilds = new SpecBuilds({ ...engine, builder, images })
  const specImages = new SpecImages({ ...engine, builds })
  const savedSpecs = new SavedSpecs({ ...engine, sandboxes, specImages })
  const { turns } = shared
  const specExports = new SpecExports({ ...engine, images, mask: options.mask, turns })
  const specImports = new SpecImports({ ...engine, images, specImages, turns })
  const programs = new ImagePrograms({ ...engine, images, hold, signal: closing.signal })
  const services = new SandboxServices({ ...engine, images, builder, specImages, sandboxes, foldersOf, listening })
  const logs = new SandboxLogs({ ...engine, sandboxes })
  const conversations = new SandboxConversations(database)
  const removable = new RemovableStorage({ ...engine, images, sandboxes, specImages, conversations })
  const disk = id === DEFAULT_ENGINE ? options.engineDisk : { check: () => diskOf(connection) }
  const storage = new EngineStorageService({ ...engine, images, sandboxes, disk })
  return {
    id,
    connection,
    images,
    sandboxes,
    builder,
    builds,
    specImages,
    savedSpecs,
    specExports,
    specImports,
    programs,
    services,
    logs,
    storage,
    removable,
    /** Begins to follow the engine; resolves when its sandboxes are known, or when it does not answer. */
    start: async () => {
      // Another engine gets it with its first sandbox: it may be far away.
      if (id === DEFAULT_ENGINE) images.start()
      specImages.start()
      services.start()
      await sandboxes.listen()
    },
    close: async () => {
      closing.abort()
      await services.close()
      await specImages.close()
      await sandboxes.close()
      await images.close()
    },
    /**
     * Removes from the engine what is there of this Atelier, when its parts are closed.
     * @param withSandboxes without it there may be none any more
     * @throws AppError conflict where it has sandboxes, engine_unavailable, engine_failed
     */
    clear: async ({ withSandboxes = false } = {}) => {
      if (!withSandboxes && (await sandboxes.held()).length > 0)
        throw new AppError('conflict', 'It has sandboxes. Delete them first.')
      await removeObjects(connection.engine(), instanceLabels(instanceId))
    },
  }
}

function diskOf(connection: EngineConnection) {
  const folder = connection.folder()
  return folder === null ? Promise.resolve(null) : readDisk(folder)
}
