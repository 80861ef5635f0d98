import { type Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { type RequestOptions as HttpsOptions, request as httpsRequest } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { BOUNDS } from '../domain/bounds.ts'
import { toProxyError } from './problem.ts'
import type { OutboundRequest } from './request.ts'

/** How an address is connected to. */
export interface Route {
  agent: Agent
  /** In the place of what the address says. */
  options: RequestOptions & HttpsOptions
  /** Beside those of the call. */
  headers: Record<string, string>
  proxy?: URL
}

/**
 * Sends and waits for the headers of the answer.
 * @param giveUp ends it with its reason; aborted here when it fails otherwise, so that no proxy goes on connecting
 */
export async function send(
  { url, method, headers, body }: OutboundRequest,
  route: Route,
  giveUp: AbortController,
): Promise<IncomingMessage> {
  const { agent, options, proxy } = route
  const { signal } = giveUp
  signal.throwIfAborted()
  const isSecure = (options.protocol ?? url.protocol) === 'https:'
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      ...options,
      method,
      headers: { ...headers, ...route.headers },
      ...(proxy && { givenUp: signal }),
      agent,
      maxHeaderSize: BOUNDS.answerHeaders.limit,
    })
    const done = () => signal.removeEventListener('abort', aborted)
    const fail = (error: unknown) => {
      if (isAnswered) return
      done()
      reject(proxy ? toProxyError(error, proxy, url) : error)
      giveUp.abort(error)
    }
    // One that waits for what a proxy is to connect says nothing when it is destroyed.
    const end = (error: Error) => {
      fail(error)
      request.destroy(error)
    }
    const aborted = () => end(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    signal.addEventListener('abort', aborted, { once: true })
    request.once('response', answer => {
      isAnswered = true
      done()
      resolve(answer)
    })
    request.on('error', fail)
    // After an answer it matters no more that not everything was sent.
    if (body instanceof Readable) pipeline(body, request, error => error && !isAnswered && end(error))
    else request.end(body)
  })
}
