import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import { thisMachine } from '../docker/candidates.mjs'
import type { Settings } from '../settings/service.ts'
import { EngineTable } from '../store/sandbox/engines.ts'
import { SandboxIdlePauses } from '../store/sandbox/idle-pauses.ts'
import { SandboxNetworkTable } from '../store/sandbox/networks.ts'
import { RemovalRecords } from '../store/sandbox/removals.ts'
import { SandboxSpecTable } from '../store/sandbox/specs.ts'
import { type CloseEngine, Engines } from './engine/engines.ts'
import { type EnginePartsOptions, openEngineParts, type SharedParts } from './engine/parts.ts'
import { mountPolicyContext } from './files/mounts.ts'
import { readBundledImage } from './image.ts'
import { SandboxService } from './service.ts'
import type { SandboxServices } from './services/services.ts'
import type { ImageSettings } from './spec.ts'
import { Turns } from './spec-file/turns.ts'
import { SandboxSpecs } from './specs.ts'

export interface OpenSandboxesOptions extends Omit<EnginePartsOptions, 'bundled' | 'specs' | 'shared'> {
  dataDir: string
  /** Holds the bundled image. */
  resourcesDir: string
  closeEngine: CloseEngine
}

/** The engines, their images and their sandboxes, known and followed. `close` leaves the sandboxes as they are. */
export async function openSandboxes(options: OpenSandboxesOptions) {
  const { bus, log, database, settings } = options
  const bundled = await readBundledImage(options.resourcesDir)
  const isPresent = async (reference: string, engineId: string) =>
    engines.has(engineId) ? engines.get(engineId).images.isPresent(reference) : null
  const mountGround = (engineId: string) =>
    mountPolicyContext(options.dataDir, engines.get(engineId).connection, engines.hosts())
  const specs = new SandboxSpecs({
    images: { reference: bundled?.reference ?? null, isPresent },
    table: new SandboxSpecTable(database),
    bus,
    imageSettings: async () => imageSettings(settings.read()),
    isEngine: id => engines.has(id),
    mountGround,
  })
  const shared: SharedParts = {
    removals: new RemovalRecords(database),
    policies: new SandboxNetworkTable(database),
    idlePauses: new SandboxIdlePauses(database),
    turns: new Turns(),
  }
  const engines: Engines = new Engines({
    table: new EngineTable(database),
    removals: shared.removals,
    machine: thisMachine(),
    ownImage: bundled?.reference ?? null,
    bus,
    log,
    specs,
    sandboxes: { count: engineId => sandboxes.count(engineId), engineOf: id => sandboxes.engineOf(id) },
    open: (id, connection) => openEngineParts(id, connection, { ...options, bundled, specs, shared }),
  })
  const sandboxes: SandboxService = new SandboxService({ engines, specs })
  await engines.start()
  const of = (sandboxId: string) => engines.ofSandbox(sandboxId)
  return {
    engines,
    specs,
    sandboxes,
    engineOf: (sandboxId: string) => of(sandboxId).connection,
    /** Ours, such as run in that sandbox. */
    programsFor: (sandboxId: string, names: readonly string[]) => of(sandboxId).programs.read(names),
    sandboxServices: {
      startAll: (...asked: Parameters<SandboxServices['startAll']>) => of(asked[0]).services.startAll(...asked),
      known: (sandboxId: string) => of(sandboxId).services.known(sandboxId),
    },
    /** Where mounts of sandboxes of a spec are taken from; of no spec (`undefined`) those of the default engine. */
    groundOf: async (specId: string | null | undefined) =>
      mountGround(specId === undefined ? DEFAULT_ENGINE : await specs.engineOf(specId)),
    close: () => engines.close(options.closeEngine),
  }
}

function imageSettings(settings: Settings): ImageSettings {
  return {
    base: settings.sandbox_base_container_image,
    runtime: settings.sandbox_runtime_container_image,
    resourceFactor: settings.remote_runtime_resource_factor,
  }
}
