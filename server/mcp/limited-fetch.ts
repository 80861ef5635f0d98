/** One message may be so large, whether it is a whole body or an event of a stream. */
const MAX_MESSAGE_BYTES = 16 * 2 ** 20

const LINE_FEED = 0x0a

/** `fetch` whose replies break off when a server sends a message that nobody could use. */
export function limitedFetch(fetch: typeof globalThis.fetch, maxBytes = MAX_MESSAGE_BYTES) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const body = response.body.pipeThrough(limit(maxBytes, isStream))
    const limited = new Response(body, response)
    // A response that is made has no address; redirects are judged by it.
    Object.defineProperty(limited, 'url', { value: response.url })
    Object.defineProperty(limited, 'redirected', { value: response.redirected })
    Object.defineProperty(limited, 'type', { value: response.type })
    return limited
  }
}

/** In a stream, an empty line ends an event and begins to count anew. */
function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform: (chunk, controller) => {
      const end = isStream ? endOfEvent(chunk) : -1
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end
      if (bytes > maxBytes) throw new Error(`The server sent a message of more than ${maxBytes} bytes.`)
      controller.enqueue(chunk)
    },
  })
}

/** Behind the last empty line of a piece. */
function endOfEvent(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    if (chunk[at] !== LINE_FEED) continue
    if (chunk[at - 1] === LINE_FEED || (chunk[at - 1] === 0x0d && chunk[at - 2] === LINE_FEED)) return at + 1
  }
  return -1
}
