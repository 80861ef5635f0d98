import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { randomToken } from '../../server/domain/ids.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'
import { workThrough } from './agent.ts'
import type { Kill } from './plan.ts'
import { expectOneSandboxEach, newTask, type Task, workOn } from './task.ts'

const KILL_SWITCH = pathToFileURL(join(import.meta.dirname, 'kill-switch.mjs')).href

/** One data folder whose service is killed and started again, while one task after the other is worked on. */
export class Lane {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'atelier-crash-'))
  readonly #key = randomToken(32)
  readonly #model: ModelServer
  readonly #tasks: Task[] = []
  #service: Headless | undefined

  private constructor(model: ModelServer) {
    this.#model = model
  }

  static async open(): Promise<Lane> {
    const lane = new Lane(await startModelServer())
    const service = await lane.#boot({})
    const body = { llm_model: 'scripted', llm_base_url: lane.#model.url.openai }
    await service.client.call(storeSettings, { body })
    await service.end('SIGKILL')
    return lane
  }

  /** Works until the service has died in this way, which may be before it is ready. */
  async dieBy({ moment, count }: Kill): Promise<void> {
    const port = String(this.#model.port)
    const service = await this.#boot({ ATELIER_TEST_KILL: `${moment}:${count}`, ATELIER_TEST_MODEL_PORT: port }).catch(
      diedAtOnce,
    )
    if (!service) return
    const died = once(service.process, 'exit')
    try {
      while (await workOn(service, this.#current(), died));
    } catch (error) {
      const failed = await answers(service)
      if (failed) await service.end('SIGKILL')
      if (failed) throw error
    }
    await died
    expect(service.process.signalCode, service.stderr()).toBe('SIGKILL')
  }

  /** Brings the last task to its end, and looks at all of them once more. @returns how many there were */
  async finish(): Promise<number> {
    const service = await this.#boot({})
    const died = once(service.process, 'exit')
    expect(await workOn(service, this.#current(), died)).toBe(true)
    for (const task of this.#tasks) expect(await workOn(service, task, died)).toBe(true)
    await expectOneSandboxEach(service, this.#tasks)
    await service.end('SIGTERM')
    return this.#tasks.length
  }

  async close(): Promise<void> {
    if (this.#service?.process.exitCode === null) await this.#service.end('SIGKILL')
    await this.#model.close()
    await removeSandboxesOf(this.#dataDir)
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  #current(): Task {
    const last = this.#tasks.at(-1)
    if (last && !last.finished) return last
    const task = newTask()
    this.#model.setScript(workThrough())
    this.#tasks.push(task)
    return task
  }

  async #boot(env: Record<string, string>): Promise<Headless> {
    const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${KILL_SWITCH}`
    this.#service = await startHeadless({ dataDir: this.#dataDir, key: this.#key, env: { NODE_OPTIONS, ...env } })
    return this.#service
  }
}

/** Killed by a signal: another end has a code. */
function diedAtOnce(error: unknown): undefined {
  if (error instanceof Error && error.message.startsWith('The service ended with null')) return undefined
  throw error
}

async function answers({ url }: Headless): Promise<boolean> {
  return fetch(`${url}/alive`).then(
    () => true,
    () => false,
  )
}
