import { setTimeout as delay } from 'node:timers/promises'
import { timeLimit } from '../async/time-limit.ts'
import { messageOf } from '../domain/errors.ts'
import type { PipedProcess, SandboxHandle } from '../domain/sandbox-handle.ts'
import { type BrowserEvent, Connection } from './connection.ts'
import { launchBrowser } from './launch.ts'
import { BrowserProblem } from './problem.ts'
import * as protocol from './protocol.ts'
import { Tab } from './tab.ts'

const START_MS = 30_000
const DOWNLOAD_MS = 5_000
const MAX_NOTES = 20
const MAX_TABS = 20
const MAX_DOWNLOADS = 50
const MAX_NAME_LENGTH = 300
const ID_LENGTH = 4
/** Pages and nothing else: workers and frames belong to their page. */
const PAGES = [{ type: 'page', exclude: false }, { exclude: true }]

export interface BrowserTarget {
  executable: string
  /** Folders of the sandbox. */
  profile: string
  downloads: string
}

/** A browser that runs in a sandbox, with its tabs. Whoever opens it closes it. */
export class Browser {
  readonly connection: Connection
  readonly #process: PipedProcess
  readonly #place: BrowserTarget
  readonly #tabs = new Map<string, Tab>()
  readonly #downloads = new Map<string, string>()
  readonly #notes: string[] = []
  readonly #preparing = new Set<Promise<void>>()
  #current: Tab | undefined
  #said = ''

  private constructor(process: PipedProcess, place: BrowserTarget) {
    this.#process = process
    this.#place = place
    process.stderr.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk).slice(-4000)
    })
    this.connection = new Connection(process, {
      onEvent: event => this.#see(event),
      onEnd: () => void process.close(),
    })
  }

  /** @throws BrowserProblem when it does not start, AppError of the sandbox, the signal's reason */
  static async open(sandbox: SandboxHandle, place: BrowserTarget, signal: AbortSignal): Promise<Browser> {
    const browser = new Browser(await launchBrowser(sandbox, place, signal), place)
    try {
      await browser.#begin(AbortSignal.any([signal, timeLimit(START_MS)]))
      return browser
    } catch (error) {
      await browser.close()
      signal.throwIfAborted()
      throw new BrowserProblem(`The browser did not start (${place.executable}). ${browser.#reason(error)}`)
    }
  }

  get ended(): boolean {
    return this.connection.ended
  }

  get tabs(): readonly Tab[] {
    return [...this.#tabs.values()]
  }

  /** @throws BrowserProblem when every tab was closed */
  get current(): Tab {
    if (this.#current) return this.#current
    throw new BrowserProblem('No page is open. Open one with browser_navigate.')
  }

  /** What happened beside the calls since this was asked last: dialogs, downloads, new tabs. */
  takeNotes(): string[] {
    const going = [...this.#downloads.values()].map(name => `The download of ${name} still goes on.`)
    return [...this.#notes.splice(0), ...going]
  }

  async openTab(signal: AbortSignal): Promise<Tab> {
    if (this.#tabs.size >= MAX_TABS) throw new BrowserProblem(`${MAX_TABS} tabs are open. Close some first.`)
    const { targetId } = protocol.targetInfo
      .pick({ targetId: true })
      .parse(await this.connection.send('Target.createTarget', { url: 'about:blank' }, { signal }))
    await this.prepared()
    const tab = this.tabs.find(candidate => candidate.targetId === targetId)
    if (!tab) throw new BrowserProblem('The new tab was closed at once.')
    await this.switchTo(tab, signal)
    return tab
  }

  async switchTo(tab: Tab, signal: AbortSignal): Promise<void> {
    this.#current = tab
    if (!tab.crashed) await tab.send('Page.bringToFront', {}, { signal })
  }

  /** Closes a tab; another one takes its place. */
  async closeTab(tab: Tab, signal: AbortSignal): Promise<void> {
    if (this.#tabs.size === 1) await this.openTab(signal)
    await this.connection.send('Target.closeTarget', { targetId: tab.targetId }, { signal })
    this.#forget(tab)
    if (this.#current) await this.switchTo(this.#current, signal)
  }

  /** Resolves when the tabs that pages opened until now can be used. */
  async prepared(): Promise<void> {
    await Promise.all(this.#preparing)
  }

  /** Waits a little for files that are being downloaded: most are there at once. */
  async downloaded(signal: AbortSignal): Promise<void> {
    const until = performance.now() + DOWNLOAD_MS
    while (this.#downloads.size > 0 && performance.now() < until) await delay(50, undefined, { signal })
  }

  /** Always resolves. */
  async close(): Promise<void> {
    this.connection.end('The browser was closed.')
    await this.#process.close()
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const send = (method: string, params: object) => this.connection.send(method, params, { signal })
    const behavior = { behavior: 'allow', downloadPath: this.#place.downloads, eventsEnabled: true }
    await Promise.all([
      send('Browser.setDownloadBehavior', behavior),
      send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: PAGES }),
    ])
    await this.prepared()
    if (this.#tabs.size === 0) await this.openTab(signal)
  }

  #see(event: BrowserEvent): void {
    const { method, params, sessionId } = event
    if (sessionId !== undefined) {
      const tab = this.tabs.find(candidate => candidate.sessionId === sessionId)
      return tab?.see(event)
    }
    switch (method) {
      case 'Target.attachedToTarget':
        return this.#attached(protocol.attachedToTarget.parse(params))
      case 'Target.detachedFromTarget': {
        const { sessionId: gone } = protocol.detachedFromTarget.parse(params)
        const tab = this.tabs.find(candidate => candidate.sessionId === gone)
        return tab && this.#forget(tab)
      }
      case 'Browser.downloadWillBegin': {
        const { guid, suggestedFilename } = protocol.downloadBegin.parse(params)
        if (this.#downloads.size < MAX_DOWNLOADS) this.#downloads.set(guid, suggestedFilename.slice(0, MAX_NAME_LENGTH))
        return
      }
      case 'Browser.downloadProgress':
        return this.#downloaded(protocol.downloadProgress.parse(params))
    }
  }

  #attached({ sessionId, targetInfo: info }: ReturnType<typeof protocol.attachedToTarget.parse>): void {
    if (this.#tabs.size >= MAX_TABS) return this.#refuse(info.targetId)
    const short = info.targetId.slice(-ID_LENGTH).toLowerCase()
    const id = this.#tabs.has(short) ? info.targetId.toLowerCase() : short
    const tab = new Tab(this.connection, { id, sessionId, info }, text => this.#note(text))
    const opener = this.tabs.find(candidate => candidate.targetId === info.openerId)
    this.#tabs.set(id, tab)
    if (opener) this.#note(`The page opened a new tab, ${id}, which is the current one now.`)
    if (opener || !this.#current) this.#current = tab
    const preparing = this.#prepare(tab).finally(() => this.#preparing.delete(preparing))
    this.#preparing.add(preparing)
  }

  /** A page that opens ever more of them is not followed. */
  #refuse(targetId: string): void {
    this.#note(`The page opened one more tab than the ${MAX_TABS} that can be open. It was closed.`)
    this.connection.send('Target.closeTarget', { targetId }).catch(() => {})
  }

  async #prepare(tab: Tab): Promise<void> {
    try {
      await tab.prepare(timeLimit(START_MS))
    } catch {
      // The tab or the browser was closed meanwhile: its next user gets the error.
    }
  }

  #forget(tab: Tab): void {
    this.#tabs.delete(tab.id)
    this.connection.refuse(tab.sessionId, 'The tab was closed.')
    if (this.#current === tab) this.#current = this.tabs.at(-1)
  }

  #downloaded({ guid, state, filePath }: ReturnType<typeof protocol.downloadProgress.parse>): void {
    const name = this.#downloads.get(guid)
    if (name === undefined || state === 'inProgress') return
    this.#downloads.delete(guid)
    const path = filePath ?? `${this.#place.downloads}/${name}`
    this.#note(state === 'completed' ? `A file was downloaded: ${path}` : `The download of ${name} was cancelled.`)
  }

  #note(text: string): void {
    this.#notes.push(text)
    if (this.#notes.length > MAX_NOTES) this.#notes.shift()
  }

  #reason(error: unknown): string {
    const lines = this.#said.split('\n').filter(line => line.trim() !== '' && !line.includes('dbus'))
    return lines.slice(-3).join('\n').slice(0, 1000) || messageOf(error)
  }
}
