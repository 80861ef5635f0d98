import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import type { Client } from '../../server/client/client.ts'
import { randomToken } from '../../server/domain/ids.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'

/** Found from the bundled program as from here. */
const CLOCK = pathToFileURL(join(projectFolder, 'test/chaos/clock.mjs')).href
/** How long it is tried to start it, and how long one start may take. */
const BOOT_MS = 60_000
const START_MS = 30_000
const LOG_TAIL = 4000
/** One is prepared at all times: conversations take it, and lose it to faults. */
export const PREPARED = 1
/** A request that takes longer is asked again. */
const ANSWER_MS = 15_000

export interface ServiceOptions {
  dataDir: string
  /** For the file that says how far the clock has jumped. */
  folder: string
  engineHost: string
  modelUrl: string
  /** Called when the service ends though nobody ended it, and when it does not start. */
  onCrash(what: string): void
}

/** The service as a process that is ended and started again; its users find the one that runs now. */
export class ServiceProcess {
  readonly #options: ServiceOptions
  readonly #key = randomToken(32)
  readonly #clockFile: string
  #current: Headless | undefined
  #endedByUs = false

  private constructor(options: ServiceOptions) {
    this.#options = options
    this.#clockFile = join(options.folder, 'clock')
  }

  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess(options)
    const { client } = await service.boot()
    const body = { llm_model: 'scripted', llm_base_url: options.modelUrl, llm_api_key: 'sk-chaos-0123456789' }
    await client.call(storeSettings, { body })
    return service
  }

  /** @throws Error while it does not run */
  get now(): Headless {
    if (!this.#current) throw new Error('The service does not run.')
    return this.#current
  }

  /** Gives up after a time, as a person does. */
  get client(): Client {
    const { client } = this.now
    return {
      ...client,
      call: (route, ...[input]) => {
        const given = { ...input, signal: AbortSignal.timeout(ANSWER_MS) } as NonNullable<typeof input>
        return client.call(route, given)
      },
    }
  }

  async boot(): Promise<Headless> {
    writeFileSync(this.#clockFile, '0')
    this.#endedByUs = false
    const service = await this.#spawn()
    this.#current = service
    service.process.once('exit', (code, signal) => {
      if (this.#current !== service) return
      this.#current = undefined
      if (this.#endedByUs) return
      this.#options.onCrash(`The service ended by itself with ${code ?? signal}: ${service.stderr().slice(-LOG_TAIL)}`)
    })
    return service
  }

  /** As whoever keeps it running does: again until it starts. Resolves at once where it runs. */
  async ensureRunning(patienceMs = BOOT_MS): Promise<void> {
    const deadline = Date.now() + patienceMs
    while (!this.#current) {
      try {
        await this.boot()
      } catch (error) {
        if (Date.now() > deadline) throw error
        await delay(200)
      }
    }
  }

  /** The last words of the one that runs now. */
  logTail(): string {
    return this.#current?.stderr().slice(-LOG_TAIL) ?? ''
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const service = this.#current
    if (!service) return
    this.#endedByUs = true
    await service.end(signal)
    this.#current = undefined
  }

  /** Ends one that is starting after so many milliseconds, whatever it does then. */
  async killWhileStarting(milliseconds: number): Promise<void> {
    await this.end('SIGKILL')
    const end = new AbortController()
    const starting = this.#spawn(end.signal).catch(() => undefined)
    await Promise.race([starting, delay(milliseconds)])
    end.abort()
    await (await starting)?.end('SIGKILL')
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#current?.process.kill(name)
  }

  /** @param offset milliseconds from the true time */
  jump(offset: number): void {
    writeFileSync(this.#clockFile, String(offset))
    this.#current?.process.kill('SIGUSR2')
  }

  async isHealthy(): Promise<boolean> {
    try {
      const reply = await fetch(`${this.now.url}/health`, { signal: AbortSignal.timeout(2000) })
      return reply.ok
    } catch {
      return false
    }
  }

  async #spawn(given?: AbortSignal): Promise<Headless> {
    const { dataDir, engineHost } = this.#options
    const env = {
      DOCKER_HOST: engineHost,
      ATELIER_PREPARED_SANDBOXES: String(PREPARED),
      ATELIER_TEST_CLOCK: this.#clockFile,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${CLOCK}`,
    }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), START_MS)
    const signal = given ? AbortSignal.any([given, late.signal]) : late.signal
    try {
      return await startHeadless({ dataDir, key: this.#key, env, signal })
    } catch (error) {
      if (late.signal.aborted) this.#options.onCrash(`The service did not start within ${START_MS / 1000} s. ${error}`)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
