import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

// A stand-in for the API server of a cluster without nodes: a pod with a volume runs as soon as it is made, any other has ended
// then, as has a command, and everything that is asked is counted. A process of its own, so that what it takes is not the service's.

const kinds = /** @type {const} */ (['pods', 'persistentvolumeclaims'])
/** @typedef {{ metadata: Record<string, any>, spec?: any, status?: any }} ApiObject */
/** @type {Record<string, Map<string, ApiObject>>} */
const objects = Object.fromEntries(kinds.map(kind => [kind, new Map()]))
/** @type {Set<{ kind: string, selector: string, response: import('node:http').ServerResponse }>} */
const watches = new Set()
/** @type {Record<string, number>} */
let counts = {}
let sockets = 0
let version = 1

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://cluster')
  const send = (/** @type {number} */ status, /** @type {unknown} */ body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const found = /^\/api\/v1\/namespaces\/([^/]+)\/(pods|persistentvolumeclaims)(?:\/([^/]+))?(\/log)?$/.exec(
    url.pathname,
  )
  if (!found) return other(url.pathname, send)
  const [, , kind = '', name, log] = found
  const isWatch = url.searchParams.get('watch') === 'true'
  count(`${isWatch ? 'WATCH' : request.method} ${kind}${log ? '/log' : ''}`)
  if (isWatch) return watch(kind, url.searchParams.get('labelSelector') ?? '', response)
  const all = objects[kind] ?? new Map()
  if (!name && request.method === 'GET') {
    const items = [...all.values()].filter(each => fits(each, url.searchParams.get('labelSelector') ?? ''))
    return send(200, { metadata: { resourceVersion: String(version) }, items })
  }
  if (!name) return send(201, made(kind, await bodyOf(request)))
  const known = all.get(name)
  if (!known) return send(404, { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' })
  if (request.method === 'PATCH') {
    Object.assign(known.metadata.annotations, (await bodyOf(request)).metadata?.annotations)
    tell('MODIFIED', kind, known)
  }
  if (request.method === 'DELETE') {
    all.delete(name)
    tell('DELETED', kind, known)
  }
  send(200, known)
})

const upgrades = new WebSocketServer({ server, handleProtocols: offered => [...offered][0] ?? false })
upgrades.on('connection', (socket, request) => {
  count(`SOCKET ${new URL(request.url ?? '/', 'http://cluster').pathname.split('/').at(-1)}`)
  sockets++
  socket.once('close', () => sockets--)
  const end = () => {
    socket.send(Buffer.concat([Buffer.from([3]), Buffer.from('{"status":"Success"}')]))
    socket.close()
  }
  socket.once('message', end)
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: /** @type {any} */ (server.address()).port }))

process.on('message', (/** @type {any} */ message) => {
  if (message === 'counts') {
    process.send?.({ counts, connections: { watches: watches.size, sockets } })
    counts = {}
  }
  // So many pods change, one after the other, as when a node is lost and comes back.
  if (typeof message.changes === 'number') {
    const pods = [...(objects.pods?.values() ?? [])]
    for (let index = 0; index < message.changes; index++) {
      const pod = pods[index % pods.length]
      if (pod) tell('MODIFIED', 'pods', pod)
    }
    process.send?.({ changed: true })
  }
})

/** @param {string} what */
function count(what) {
  counts[what] = (counts[what] ?? 0) + 1
}

/** @param {string} path @param {(status: number, body: unknown) => unknown} send */
function other(path, send) {
  count(`GET ${path}`)
  if (path === '/version') return send(200, { gitVersion: 'v1.30.0', platform: 'linux/amd64', major: '1', minor: '30' })
  if (path.startsWith('/api/v1/namespaces/')) return send(200, { metadata: { uid: 'stand-in' } })
  if (path === '/api/v1/nodes') return send(200, { items: [] })
  return send(404, { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' })
}

/** @param {string} kind @param {ApiObject} body */
function made(kind, body) {
  const now = new Date().toISOString()
  /** @type {ApiObject['metadata']} */
  const metadata = { ...body.metadata, uid: randomUUID(), creationTimestamp: now }
  /** @type {ApiObject} */
  const object = { ...body, metadata }
  if (kind === 'pods') {
    const stays = body.spec.volumes?.some((/** @type {any} */ volume) => volume.persistentVolumeClaim)
    const state = stays
      ? { running: { startedAt: now } }
      : { terminated: { startedAt: now, finishedAt: now, exitCode: 0 } }
    const containerStatuses = body.spec.containers.map((/** @type {any} */ { name, image }) => ({
      name,
      image,
      state,
    }))
    object.status = { phase: stays ? 'Running' : 'Succeeded', podIP: '10.0.0.1', containerStatuses }
  }
  objects[kind]?.set(metadata.name, object)
  tell('ADDED', kind, object)
  return object
}

/** @param {string} type @param {string} kind @param {ApiObject} object */
function tell(type, kind, object) {
  object.metadata.resourceVersion = String(++version)
  const line = `${JSON.stringify({ type, object })}\n`
  for (const each of watches) if (each.kind === kind && fits(object, each.selector)) each.response.write(line)
}

/** @param {string} kind @param {string} selector @param {import('node:http').ServerResponse} response */
function watch(kind, selector, response) {
  const each = { kind, selector, response }
  watches.add(each)
  response.once('close', () => watches.delete(each))
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
}

/** @param {ApiObject} object @param {string} selector */
function fits({ metadata: { labels = {} } }, selector) {
  return selector.split(',').every(each => {
    const [key = '', value] = each.split('=')
    return key === '' || labels[key] === value
  })
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}
