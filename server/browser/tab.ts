import type { z } from 'zod'
import { Activity } from './activity.ts'
import type { BrowserEvent, Connection } from './connection.ts'
import { VIEWPORT } from './launch.ts'
import { BrowserProblem } from './problem.ts'
import * as protocol from './protocol.ts'

/** As many errors of the page as say what is wrong with it. */
const MAX_ERRORS = 20
const MAX_ERROR_LENGTH = 1_000

/** What one element was when the model last saw it. */
export interface KnownElement {
  backendNodeId: number
  tag: string
  type: string
  /** Where a link leads; null where there is none. */
  href: string | null
}

/** One page. What it tells of itself is kept here; what is done with it is done elsewhere. */
export class Tab {
  readonly id: string
  readonly targetId: string
  readonly sessionId: string
  readonly activity = new Activity()
  url: string
  title: string
  /** By the numbers of the last state; undefined when there was none of this document. */
  elements: Map<number, KnownElement> | undefined
  /** Everything that any state of this document showed. */
  seen = new Set<number>()
  /** What its scripts complained about since it was opened. */
  readonly errors: string[] = []
  crashed = false
  readonly #connection: Connection
  readonly #note: (text: string) => void

  constructor(
    connection: Connection,
    { id, sessionId, info }: { id: string; sessionId: string; info: z.output<typeof protocol.targetInfo> },
    note: (text: string) => void,
  ) {
    this.#connection = connection
    this.#note = note
    this.id = id
    this.sessionId = sessionId
    this.targetId = info.targetId
    this.url = info.url
    this.title = info.title
  }

  /** @throws CommandRefused, BrowserProblem, the signal's reason */
  async send(method: string, params: object, options: { signal: AbortSignal; timeoutMs?: number }): Promise<unknown> {
    if (this.crashed) throw new BrowserProblem(CRASHED)
    return this.#connection.send(method, params, { sessionId: this.sessionId, ...options })
  }

  /** Calls a function of the page's own world on one of its elements; what comes back is the page's word. */
  async call(backendNodeId: number, functionDeclaration: string, args: unknown[], signal: AbortSignal) {
    const resolved = await this.send('DOM.resolveNode', { backendNodeId }, { signal })
    const { objectId } = protocol.resolvedNode.parse(resolved).object
    const request = {
      objectId,
      functionDeclaration,
      arguments: args.map(value => ({ value })),
      returnByValue: true,
      userGesture: true,
    }
    const { result, exceptionDetails } = protocol.callResult.parse(
      await this.send('Runtime.callFunctionOn', request, { signal }),
    )
    if (exceptionDetails !== undefined) throw new BrowserProblem('The page did not let itself be changed.')
    return result.value
  }

  /** @throws BrowserProblem when the page throws */
  async evaluate(expression: string, signal: AbortSignal): Promise<unknown> {
    const request = { expression, returnByValue: true }
    const { result, exceptionDetails } = protocol.callResult.parse(
      await this.send('Runtime.evaluate', request, { signal }),
    )
    if (exceptionDetails !== undefined) throw new BrowserProblem('The page refused it.')
    return result.value
  }

  /** Brings its address and its title up to date. The browser is asked: a page that gives way to another cannot answer. */
  async readPlace(signal: AbortSignal): Promise<void> {
    const { targetId } = this
    const { targetInfo } = protocol.knownTarget.parse(
      await this.#connection.send('Target.getTargetInfo', { targetId }, { signal }),
    )
    this.url = targetInfo.url
    this.title = targetInfo.title
  }

  /** Begins to listen and lets its first script run after that. Commands are taken in the order in which they are sent. */
  async prepare(signal: AbortSignal): Promise<void> {
    const enable = ['Page.enable', 'Runtime.enable', 'Log.enable', 'DOM.enable']
    const buffers = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }
    // A browser with a window of its own takes some of its height for itself.
    const view = { ...VIEWPORT, deviceScaleFactor: 1, mobile: false }
    await Promise.all([
      ...enable.map(method => this.send(method, {}, { signal })),
      this.send('Network.enable', buffers, { signal }),
      this.send('Emulation.setDeviceMetricsOverride', view, { signal }),
      this.send('Runtime.runIfWaitingForDebugger', {}, { signal }),
    ])
  }

  see({ method, params }: BrowserEvent): void {
    switch (method) {
      case 'Page.frameStartedLoading':
        return this.activity.startedLoading(protocol.frameEvent.parse(params).frameId)
      case 'Page.frameStoppedLoading':
      case 'Page.frameDetached':
        return this.activity.stoppedLoading(protocol.frameEvent.parse(params).frameId)
      case 'Page.frameNavigated':
        return this.#navigated(protocol.frameNavigated.parse(params).frame)
      case 'Page.javascriptDialogOpening':
        return this.#dismiss(protocol.dialogOpening.parse(params))
      case 'Fetch.requestPaused':
        return this.#answerEmpty(protocol.requestPaused.parse(params).requestId)
      case 'Inspector.targetCrashed':
        this.crashed = true
        return this.#connection.refuse(this.sessionId, CRASHED)
      default:
        return method.startsWith('Network.') ? this.#seeRequest(method, params) : this.#seeError(method, params)
    }
  }

  #seeRequest(method: string, params: unknown): void {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, type = '' } = protocol.requestEvent.parse(params)
      this.activity.startedRequest(requestId, type)
    } else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      this.activity.endedRequest(protocol.requestEvent.parse(params).requestId)
    }
  }

  #seeError(method: string, params: unknown): void {
    const text = errorIn(method, params)
    if (text === undefined) return
    this.errors.push(text.slice(0, MAX_ERROR_LENGTH))
    if (this.errors.length > MAX_ERRORS) this.errors.shift()
  }

  #navigated({ parentId }: { parentId?: string | undefined }): void {
    if (parentId !== undefined) return
    this.elements = undefined
    this.seen.clear()
    this.errors.length = 0
    this.activity.reset()
  }

  /** Requests are held back only where a page without its server is wanted. */
  #answerEmpty(requestId: string): void {
    const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }]
    const answer = { requestId, responseCode: 200, responseHeaders, body: '' }
    this.#connection.send('Fetch.fulfillRequest', answer, { sessionId: this.sessionId }).catch(() => {})
  }

  /** Nobody is there to answer. A page that asks whether it may be left is left. */
  #dismiss({ type, message }: { type: string; message: string }): void {
    const accept = type === 'alert' || type === 'beforeunload'
    const { sessionId } = this
    this.#connection.send('Page.handleJavaScriptDialog', { accept }, { sessionId }).catch(() => {})
    const how = accept ? 'closed' : 'cancelled'
    this.#note(`The page opened a dialog (${type}), which was ${how}: ${JSON.stringify(message.slice(0, 500))}`)
  }
}

const CRASHED = 'The page crashed. Open it again with browser_navigate, or close the tab.'

function errorIn(method: string, params: unknown): string | undefined {
  switch (method) {
    case 'Runtime.exceptionThrown': {
      const { text, exception, url, lineNumber } = protocol.exceptionThrown.parse(params).exceptionDetails
      const place = url ? ` (${url}${lineNumber === undefined ? '' : `:${lineNumber + 1}`})` : ''
      return `${exception?.description?.split('\n', 1)[0] ?? text}${place}`
    }
    case 'Runtime.consoleAPICalled': {
      const { type, args } = protocol.consoleCalled.parse(params)
      if (type !== 'error' && type !== 'assert') return undefined
      return args.map(({ value, description }) => description ?? String(value)).join(' ')
    }
    case 'Log.entryAdded': {
      const { level, text, url } = protocol.logEntry.parse(params).entry
      return level === 'error' ? `${text}${url ? ` (${url})` : ''}` : undefined
    }
    default:
      return undefined
  }
}
