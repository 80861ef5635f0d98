import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: Buffer
}
interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** As a browser does, for which every name below localhost is this machine. */
export function ask(address: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  const { host, port, pathname, search } = new URL(address)
  return new Promise((resolve, reject) => {
    const length = body && { 'content-length': String(body.length) }
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path: pathname + search,
      headers: { host, ...headers, ...length },
    }
    const sent = request(options, async answer => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
