import { homedir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { crashesCheck } from '../doctor/crashes.ts'
import { diskCheck, engineDiskCheck } from '../doctor/disk.ts'
import { Doctor, type EngineChecks } from '../doctor/doctor.ts'
import {
  clockCheck,
  type DiagnosedEngine,
  engineCheck,
  engineStorageCheck,
  isolationCheck,
  limitsCheck,
} from '../doctor/engine.ts'
import { keychainCheck } from '../doctor/keys.ts'
import { LogFile } from '../doctor/log-file.ts'
import { type ModelOptions, modelCheck, modelQuestions } from '../doctor/model.ts'
import { servedPortsCheck } from '../doctor/ports.ts'
import { proxyCheck } from '../doctor/proxy.ts'
import { imageCheck, type NetworkEngine, networkCheck, sharesCheck } from '../doctor/sandbox.ts'
import { LOG_FILE } from '../log.ts'
import type { Engines } from '../sandbox/engine/engines.ts'
import type { EngineParts } from '../sandbox/engine/parts.ts'
import { tryRules } from '../sandbox/network/trial.ts'
import type { SandboxSpecs } from '../sandbox/specs.ts'
import type { Mask } from '../secret/mask/mask.ts'
import type { ServiceOptions } from './service-options.ts'

export interface DoctorParts extends ModelOptions {
  options: Pick<ServiceOptions, 'dataDir' | 'port' | 'gatewayPort' | 'vault' | 'findProxy'>
  engines: Pick<Engines, 'get'>
  specs: Pick<SandboxSpecs, 'search'>
  instanceId: string
  mask: Pick<Mask, 'mask'>
  openToOthers: () => readonly string[]
  served: () => { api: string; gateway: string | null }
}

/** What looks at everything that the service stands on, and at its log. */
export function openDoctor(parts: DoctorParts): { doctor: Doctor; logFile: LogFile } {
  const { engines, specs, instanceId, openToOthers, served } = parts
  const { dataDir, vault, findProxy, ...ports } = parts.options
  const { connection } = engines.get(DEFAULT_ENGINE)
  const mask = (text: string) => parts.mask.mask(text)
  const doctor = new Doctor({
    mask,
    askModel: modelQuestions(parts),
    engineChecks: id => engineChecks(engines.get(id), instanceId),
    checks: {
      network: networkCheck({
        spec: async () => {
          const [spec] = (await specs.search({ limit: 1 })).items
          if (!spec) return null
          return { ...spec, engine: networkEngine(engines.get(spec.engine_id ?? DEFAULT_ENGINE), instanceId) }
        },
        allowedHosts: () => parts.settings.read().allowed_hosts,
      }),
      keychain: keychainCheck(vault),
      model: modelCheck(parts),
      disk: diskCheck({ folder: dataDir, openToOthers }),
      ports: servedPortsCheck(ports, served),
      proxy: proxyCheck({ engine: diagnosed(connection), env: process.env, findProxy }),
      crashes: crashesCheck(dataDir),
    },
  })
  return { doctor, logFile: new LogFile(join(dataDir, 'logs', LOG_FILE), mask) }
}

function diagnosed(connection: EngineConnection): DiagnosedEngine {
  return { look: () => connection.recheck(), engine: async () => connection.engine() }
}

function networkEngine({ connection, images, sandboxes }: EngineParts, instanceId: string): NetworkEngine {
  const hold = (name: string) => sandboxes.hold(name)
  return {
    runtimes: () => connection.info().runtimes,
    hasImage: async () =>
      images.reference !== null && (await connection.engine().image(images.reference)) !== undefined,
    tryRules: signal => tryRules({ connection, images, instanceId, hold, signal }),
  }
}

function engineChecks({ connection, images, sandboxes }: EngineParts, instanceId: string): EngineChecks {
  const engine = diagnosed(connection)
  const hold = (name: string) => sandboxes.hold(name)
  return {
    engine: engineCheck(engine),
    limits: limitsCheck(engine),
    isolation: isolationCheck(engine),
    engine_storage: engineStorageCheck(engine),
    shares: sharesCheck({ engine, image: images.reference, instanceId, hold, folder: homedir() }),
    image: imageCheck(() => images.status()),
    engine_disk: engineDiskCheck(async () => connection.folder()),
    clock: clockCheck(engine),
  }
}
