import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface Registry {
  /** Of an image with one file of random bytes in one layer. */
  reference: string
  layerBytes: number
  /** Half of the layer comes in drops until this is called. */
  release(): void
  /** Resolves when the engine has given up the layer. */
  readonly dropped: Promise<void>
  close(): Promise<void>
}

/**
 * A registry with one image, as `docker pull` sees it; engines trust one on 127.0.0.1 without TLS.
 * @param login as `user:password`: nobody else gets anything
 */
export async function startRegistry(architecture: string, login?: string): Promise<Registry> {
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  const tar = pack()
  tar.entry({ name: 'data' }, randomBytes(3_000_000))
  tar.finalize()
  const content = await buffer(tar)
  const layer = gzipSync(content, { level: 0 })
  const config = Buffer.from(
    JSON.stringify({
      architecture,
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [digestOf(content)] },
    }),
  )
  const manifest = Buffer.from(JSON.stringify(manifestOf(config, layer)))
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let drop = () => {}
  const dropped = new Promise<void>(resolve => {
    drop = resolve
  })
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    if (expected !== undefined && request.headers.authorization !== expected) {
      const errors = [{ code: 'UNAUTHORIZED', message: 'authentication required' }]
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end(JSON.stringify({ errors }))
    }
    if (url.includes('/manifests/')) return answer(response, manifest, MANIFEST)
    if (url.endsWith(digestOf(config))) return answer(response, config, 'application/octet-stream')
    if (!url.endsWith(digestOf(layer))) return response.writeHead(url === '/v2/' ? 200 : 404).end()
    response.on('close', () => response.writableFinished || drop())
    response.writeHead(200, { 'content-length': layer.length })
    let sent = layer.length / 2
    response.write(layer.subarray(0, sent))
    // An engine gives a transfer up when the next bytes come, so a few always do.
    const drip = setInterval(() => {
      response.write(layer.subarray(sent, sent + DRIP_BYTES))
      sent += DRIP_BYTES
    }, 20)
    response.on('close', () => clearInterval(drip))
    void released.then(() => {
      clearInterval(drip)
      response.end(layer.subarray(sent))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reference = `127.0.0.1:${port}/test/data:${randomBytes(4).toString('hex')}`
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { reference, layerBytes: layer.length, release, dropped, close }
}

const DRIP_BYTES = 1024
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

function manifestOf(config: Buffer, layer: Buffer): object {
  const part = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) })
  return {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part('application/vnd.docker.container.image.v1+json', config),
    layers: [part('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)],
  }
}

function answer(response: ServerResponse, body: Buffer, type: string): void {
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    'docker-content-digest': digestOf(body),
  })
  response.end(body)
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
