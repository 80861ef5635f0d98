import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client'
import { MessageRate } from './message-rate.ts'

/** Of the range that the protocol leaves to implementations. */
export const CONNECTION_BROKEN = -32_050

/** Streamable HTTP, where a request whose reply breaks off is answered with an error instead of never, and messages are counted. */
export class HttpTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  readonly hasPerRequestStream = true
  readonly #inner: Transport & Pick<StreamableHTTPClientTransport, 'terminateSession'>
  readonly #unanswered = new Set<RequestId>()
  readonly #rate = new MessageRate()

  constructor(...given: ConstructorParameters<typeof StreamableHTTPClientTransport>) {
    this.#inner = new StreamableHTTPClientTransport(...given)
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = error => this.onerror?.(error)
    this.#inner.onmessage = message => this.#deliver(message)
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  terminateSession(): Promise<void> {
    return this.#inner.terminateSession()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!isJSONRPCRequest(message)) return this.#inner.send(message, options)
    const { id } = message
    this.#unanswered.add(id)
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      if (!this.#unanswered.has(id)) return
      const error = { code: CONNECTION_BROKEN, message: 'The reply broke off.' }
      this.#deliver({ jsonrpc: '2.0', id, error })
    }
    await this.#inner.send(message, { ...options, onRequestStreamEnd })
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.#rate.admits(0)) {
      this.onerror?.(new Error('It sends messages without end, so it was left.'))
      void this.close()
      return
    }
    if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined) {
      this.#unanswered.delete(message.id)
    }
    this.onmessage?.(message)
  }
}
