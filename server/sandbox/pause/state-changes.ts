import { setTimeout as delay } from 'node:timers/promises'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerState } from '../../docker/engine.ts'
import type { SandboxCache } from '../cache.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { SandboxNetworks } from '../network/networks.ts'
import { assertAllowed, assertReachable, type Sandbox, statusOf } from '../state.ts'
import type { RunningLimit } from './running-limit.ts'

/** An engine under load may show the state of before for a while. */
const MAX_LAG_MS = 2_000
const LOOK_EVERY_MS = 20

export interface StateChangesOptions {
  connection: Pick<EngineConnection, 'engine'>
  cache: Pick<SandboxCache, 'get' | 'refresh'>
  networks: Pick<SandboxNetworks, 'ready'>
  shells: Pick<KeptShells, 'closeOf'>
  running: Pick<RunningLimit, 'enter'>
  /** Starts a container that has stopped. */
  again(containerId: string): Promise<void>
}

/** Pauses and resumes sandboxes. */
export class StateChanges {
  readonly #options: StateChangesOptions

  constructor(options: StateChangesOptions) {
    this.#options = options
  }

  /** @throws AppError conflict, engine_unavailable */
  async pause(sandbox: Sandbox): Promise<void> {
    assertReachable(sandbox)
    if (statusOf(sandbox) === 'PAUSED') return
    assertAllowed('pause', sandbox)
    const { connection, shells } = this.#options
    await this.#change(sandbox, 'PAUSED', container => {
      shells.closeOf(container.id)
      return connection.engine().pauseContainer(container.id)
    })
  }

  /** @throws AppError conflict, engine_unavailable, too_many_sandboxes */
  async resume(sandbox: Sandbox): Promise<void> {
    assertReachable(sandbox)
    const status = statusOf(sandbox)
    if (status === 'RUNNING' || status === 'STARTING') return
    assertAllowed('resume', sandbox)
    const { connection, networks, running, again } = this.#options
    const leave = await running.enter({ id: sandbox.id })
    const resumed = this.#change(sandbox, 'RUNNING', async ({ id: containerId, status: before }) => {
      if (before !== 'paused') return again(containerId)
      await networks.ready(containerId)
      await connection.engine().unpauseContainer(containerId)
    })
    await resumed.finally(leave)
  }

  /** Someone else may do the same at the same time: what counts is the state in the end. */
  async #change(
    sandbox: Sandbox,
    wanted: 'RUNNING' | 'PAUSED',
    act: (container: ContainerState) => Promise<void>,
  ): Promise<void> {
    if (sandbox.kind !== 'container') return
    let failure: unknown
    await act(sandbox.container).catch(error => {
      failure = error
    })
    const { cache } = this.#options
    const giveUpAt = performance.now() + MAX_LAG_MS
    for (;;) {
      await cache.refresh(sandbox.id)
      const now = cache.get(sandbox.id)
      if (now && statusOf(now) === wanted) return
      if (failure) throw failure
      if (now?.kind !== 'container' || performance.now() >= giveUpAt) return
      await delay(LOOK_EVERY_MS)
    }
  }
}
