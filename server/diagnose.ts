import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import { isSecretName } from './api/secret-names.ts'
import type { Diagnosis, DiagnosisCheck } from './api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE } from './api/v1/system/engines.ts'
import type { SandboxImageStatus } from './api/v1/system/system.ts'
import { settledWithin } from './async/settled-within.ts'
import { readConfig } from './config.ts'
import { defaultDataDir } from './data-dir.ts'
import { thisMachine } from './docker/candidates.mjs'
import { type EngineSearch, findEngine } from './docker/socket.ts'
import { readyStatus } from './docker/status.ts'
import type { Check } from './doctor/check.ts'
import { crashesCheck } from './doctor/crashes.ts'
import { diskCheck, engineDiskCheck } from './doctor/disk.ts'
import { Doctor } from './doctor/doctor.ts'
import {
  clockCheck,
  type DiagnosedEngine,
  engineCheck,
  engineStorageCheck,
  isolationCheck,
  limitsCheck,
} from './doctor/engine.ts'
import { keychainCheck } from './doctor/keys.ts'
import { freePortsCheck } from './doctor/ports.ts'
import { proxyCheck } from './doctor/proxy.ts'
import { imageCheck } from './doctor/sandbox.ts'
import { AppError } from './domain/errors.ts'
import { findProxyOf } from './outbound/proxies.ts'
import { readBundledImage } from './sandbox/image.ts'
import type { ChildPort } from './secret/keychain/child-port.ts'
import { createMask } from './secret/mask/mask.ts'
import { openVault } from './secret/vault/open.ts'
import type { Vault } from './secret/vault/vault.ts'

export interface MachineOptions {
  dataDir: string
  resourcesDir: string
  startKeychainProcess: () => ChildPort
  env: NodeJS.ProcessEnv
}

export interface MachineDoctor {
  /** @throws the signal's reason */
  run(check: DiagnosisCheck, signal: AbortSignal): Promise<Diagnosis>
  close(): Promise<void>
}

/** What can be said of this machine while no service runs: nothing is started, stored or sent. */
export function openMachineDoctor({ dataDir, resourcesDir, startKeychainProcess, env }: MachineOptions): MachineDoctor {
  const closing = new AbortController()
  let search: Promise<EngineSearch> | undefined
  let opening: Promise<Vault> | undefined
  const find = () => {
    search ??= findEngine(thisMachine(), closing.signal)
    return search
  }
  const engine: DiagnosedEngine = {
    look: async () => {
      const found = await find()
      return found.kind === 'found'
        ? readyStatus(found.engine.endpoint, found.info)
        : { state: 'unavailable', reason: found.reason, steps: found.steps }
    },
    engine: async () => {
      const found = await find()
      if (found.kind === 'none') throw new AppError('engine_unavailable', found.reason)
      return found.engine
    },
  }
  const vault = () => {
    opening ??= openVault({
      spawnChild: startKeychainProcess,
      dataDir,
      defaultDataDir: defaultDataDir(),
      env,
      log: pino({ level: 'silent' }),
    })
    return opening
  }
  const image = async () => imageCheck(await imageStatus(engine, resourcesDir))
  const doctor = new Doctor({
    mask: createMask(secretsOf(env)).mask,
    askModel: needsService,
    engineChecks: () => ({
      engine: engineCheck(engine),
      limits: limitsCheck(engine),
      isolation: isolationCheck(engine),
      engine_storage: engineStorageCheck(engine),
      shares: needsService,
      image: async signal => (await image())(signal),
      engine_disk: engineDiskCheck(async () => {
        const found = await find()
        return found.kind === 'found' ? found.info.folder : null
      }),
      clock: clockCheck(engine),
    }),
    checks: {
      network: needsService,
      keychain: async signal => keychainCheck(await vault())(signal),
      model: needsService,
      disk: diskCheck({ folder: existing(dataDir), openToOthers: () => [] }),
      ports: async signal => freePortsCheck(readConfig(env))(signal),
      proxy: proxyCheck({ engine, env, findProxy: findProxyOf() }),
      crashes: crashesCheck(dataDir),
    },
  })
  return {
    run: (check, signal) => doctor.run(check, { engineId: DEFAULT_ENGINE, signal }),
    close: async () => {
      closing.abort()
      const found = await search?.catch(() => undefined)
      if (found?.kind === 'found') await found.engine.close()
      // A keychain may wait for a person to answer its question.
      if (opening)
        await settledWithin(
          VAULT_CLOSE_MS,
          opening.then(vault => vault.close()),
        )
    },
  }
}

/** What the keychain is doing then is left. */
const VAULT_CLOSE_MS = 2_000

const needsService: Check = async () => ({ state: 'skipped', finding: 'needs_service' })

async function imageStatus(engine: DiagnosedEngine, resourcesDir: string): Promise<() => SandboxImageStatus> {
  const bundled = await readBundledImage(resourcesDir)
  const none = { done_bytes: 0, total_bytes: 0, reason: null }
  if (!bundled) return () => ({ ...none, state: 'not_bundled', reference: null })
  const { reference } = bundled
  const isThere = (await (await engine.engine(new AbortController().signal)).image(reference)) !== undefined
  return () => ({ ...none, state: isThere ? 'ready' : 'not_loaded', reference })
}

/** Before the first start the data folder is not there yet. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && isSecretName(name) ? [value] : []))
}
