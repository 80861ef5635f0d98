import http from 'node:http'
import https from 'node:https'

/**
 * The two requests that set-up makes to an engine, with nothing but Node: the client library comes with `npm ci`.
 * @typedef {{method?: string, path: string, body?: NodeJS.ReadableStream | Buffer, contentType?: string, signal?: AbortSignal}} EngineRequest
 */

/**
 * @param {string} host as in DOCKER_HOST: `unix://…`, `npipe://…`, `tcp://…`
 * @param {EngineRequest} request
 * @returns {Promise<http.IncomingMessage>} the answer, whatever its status
 */
export function requestEngine(host, { method = 'GET', path, body, contentType, signal }) {
  const target = connection(host)
  return new Promise((resolve, reject) => {
    const headers = contentType ? { 'content-type': contentType } : {}
    const options = { ...target.options, method, path, headers, ...(signal && { signal }) }
    const request = (target.secure ? https : http).request(options, resolve)
    request.once('error', reject)
    if (!body) request.end()
    else if (Buffer.isBuffer(body)) request.end(body)
    else body.once('error', reject).pipe(request)
  })
}

/**
 * @param {string} host
 * @param {number} [timeout] milliseconds
 * @returns {Promise<boolean>} whether an engine answers there. Never throws.
 */
export async function ping(host, timeout = 2000) {
  try {
    const response = await requestEngine(host, { path: '/_ping', signal: AbortSignal.timeout(timeout) })
    response.resume()
    return response.statusCode === 200
  } catch {
    return false
  }
}

/**
 * @param {string} host
 * @returns {{secure: boolean, options: http.RequestOptions}}
 */
function connection(host) {
  if (host.startsWith('unix://')) return { secure: false, options: { socketPath: host.slice('unix://'.length) } }
  if (host.startsWith('npipe://')) return { secure: false, options: { socketPath: host.slice('npipe:'.length) } }
  const url = new URL(host.replace(/^tcp:/, 'http:'))
  const secure = url.protocol === 'https:' || Boolean(process.env.DOCKER_TLS_VERIFY)
  return { secure, options: { host: url.hostname, port: url.port || (secure ? 2376 : 2375) } }
}
