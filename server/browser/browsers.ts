import type { BrowserState } from '../api/v1/conversation/browser.ts'
import { timeLimit } from '../async/time-limit.ts'
import type { Bus } from '../bus.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { onSandboxGone } from '../sandbox/engine/gone.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Conversation } from '../store/conversation/conversations.ts'
import { clipEnd } from '../text/clip.ts'
import { type FoundBrowser, findBrowser, installCommand } from './acting/find.ts'
import { BrowserProblem } from './problem.ts'
import { BrowserSession } from './session.ts'

/** A browser takes some 200 MB of the sandbox's memory. */
const IDLE_MS = 15 * 60_000
const IDLE_CHECK_MS = 30_000
const MAX_SHOWN_LENGTH = 2_000
const LOOK_AGAIN_MS = 30_000

type ConversationSandbox = Pick<Conversation, 'id' | 'sandbox_id' | 'working_dir'>

interface Dependencies {
  sandboxes: Pick<SandboxService, 'look' | 'open' | 'resume' | 'batch'>
  bus: Pick<Bus, 'subscribe'>
  mask: (text: string) => string
  idleMs?: number
}

/** The browsers of all conversations: which sandbox has one, and which run. */
export class Browsers {
  readonly #dependencies: Dependencies
  /** By sandbox. One that is missing is looked for again: it can be installed meanwhile. */
  readonly #found = new Map<string, FoundBrowser>()
  /** When a sandbox was last looked at, as `performance.now()`. */
  readonly #lookedAt = new Map<string, number>()
  readonly #sessions = new Map<string, BrowserSession>()
  readonly #unsubscribe: () => void

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const { bus, sandboxes } = dependencies
    this.#unsubscribe = onSandboxGone({ bus, batch: ids => sandboxes.batch(ids) }, id => {
      this.#found.delete(id)
      this.#lookedAt.delete(id)
    })
  }

  /** Before a run: a browser that was missing a moment ago is taken to be missing still. Never rejects. */
  async prepare(place: ConversationSandbox, signal: AbortSignal): Promise<void> {
    const lookedAt = this.#lookedAt.get(place.sandbox_id) ?? Number.NEGATIVE_INFINITY
    if (performance.now() - lookedAt > LOOK_AGAIN_MS) await this.refresh(place, signal)
  }

  /** Looks whether the sandbox has a browser, when that is not known yet and it runs. Never rejects. */
  async refresh(place: ConversationSandbox, signal: AbortSignal): Promise<void> {
    const { sandboxes } = this.#dependencies
    await this.#look(place, async () => findBrowser(await sandboxes.open(place.sandbox_id, place.working_dir), signal))
  }

  async #look({ sandbox_id }: ConversationSandbox, find: () => Promise<FoundBrowser | undefined>): Promise<void> {
    if (this.#found.get(sandbox_id)?.kind === 'found') return
    try {
      const found = await find()
      if (!found) return
      this.#found.set(sandbox_id, found)
      this.#lookedAt.set(sandbox_id, performance.now())
    } catch {
      // The sandbox does not run, or the run was given up: it stays unknown.
    }
  }

  /** For a sandbox that runs again: nobody could look before, and nobody waits for it now. */
  notice(place: ConversationSandbox): void {
    if (!this.#found.has(place.sandbox_id)) void this.refresh(place, timeLimit(IDLE_CHECK_MS))
  }

  isThere({ sandbox_id }: Pick<ConversationSandbox, 'sandbox_id'>): boolean {
    return this.#found.get(sandbox_id)?.kind === 'found'
  }

  session(place: ConversationSandbox): BrowserSession {
    const { id, sandbox_id } = place
    const session =
      this.#sessions.get(id) ??
      new BrowserSession({
        sandbox: () => this.#running(place),
        whileRunning: () => this.#dependencies.sandboxes.open(sandbox_id, '/'),
        executable: signal => this.#executable(place, signal),
        onFailure: () => {
          this.#found.delete(sandbox_id)
          this.#lookedAt.delete(sandbox_id)
        },
        place: { profile: `/tmp/.atelier-browser/${id}`, downloads: '/tmp/downloads' },
        idleMs: this.#dependencies.idleMs ?? IDLE_MS,
      })
    this.#sessions.set(id, session)
    return session
  }

  /** What a person sees of it. Looks for a browser only in a sandbox that runs, of which that is no use: it is asked again and again. */
  async state(place: ConversationSandbox, signal: AbortSignal): Promise<BrowserState> {
    const { sandboxes } = this.#dependencies
    const find = (sandbox: SandboxHandle) => findBrowser(sandbox, signal)
    await this.#look(place, () => sandboxes.look(place.sandbox_id, find, place.working_dir))
    const found = this.#found.get(place.sandbox_id)
    if (!found) return { state: 'unknown' }
    if (found.kind === 'missing') return { state: 'missing', install: installCommand(found) }
    const { executable, version } = found
    const browser = this.#sessions.get(place.id)?.browser
    if (!browser) return { state: 'ready', executable, version }
    const { mask } = this.#dependencies
    const current = browser.tabs.length > 0 ? browser.current : undefined
    const tabs = browser.tabs.map(tab => ({
      id: tab.id,
      url: clipEnd(mask(tab.url), MAX_SHOWN_LENGTH),
      title: clipEnd(mask(tab.title), MAX_SHOWN_LENGTH),
      current: tab === current,
    }))
    return { state: 'running', executable, version, tabs }
  }

  async release(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    await session?.close()
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#sessions.keys()].map(id => this.release(id)))
  }

  async #executable(place: ConversationSandbox, signal: AbortSignal): Promise<string> {
    await this.refresh(place, signal)
    const found = this.#found.get(place.sandbox_id)
    if (found?.kind === 'found') return found.executable
    throw new BrowserProblem('There is no browser in this sandbox.')
  }

  async #running({ sandbox_id, working_dir }: ConversationSandbox) {
    const { sandboxes } = this.#dependencies
    await sandboxes.resume(sandbox_id)
    return sandboxes.open(sandbox_id, working_dir)
  }
}
