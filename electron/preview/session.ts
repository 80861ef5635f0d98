import { type App, type Session, session } from 'electron'
import { isLoopback } from '../../server/api/loopback.ts'
import { openSandboxProxy, type SandboxProxy } from '../../server/api/v1/sandbox/ports.ts'
import { createClient } from '../../server/client/client.ts'
import { CHANNELS, type Connection } from '../ipc.ts'
import { isGuestRequest, partitionOf } from './rules.ts'

/** Sessions of previews, each with the sandbox that it sees. */
const sandboxes = new WeakMap<Session, string>()

/**
 * The session in which the pages of a sandbox are shown: in memory alone, with no right to anything of this computer, and
 * with the network of the sandbox in place of this one's.
 * @returns its partition
 * @throws Error in words
 */
export async function openPreviewSession(connection: Connection, sandboxId: string): Promise<string> {
  const { url } = await askProxy(connection, sandboxId)
  const partition = partitionOf(sandboxId)
  const guest = session.fromPartition(partition)
  if (!sandboxes.has(guest)) lockGuestSession(guest)
  sandboxes.set(guest, sandboxId)
  // Without this rule localhost would be this computer.
  await guest.setProxy({ proxyRules: new URL(url).host, proxyBypassRules: '<-loopback>' })
  return partition
}

function lockGuestSession(guest: Session): void {
  guest.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  guest.setPermissionCheckHandler(() => false)
  guest.setDevicePermissionHandler(() => false)
  // A name that nobody has: else Windows would sign its person in where a page asks for it.
  guest.allowNTLMCredentialsForDomains('none.invalid')
  guest.setSpellCheckerEnabled(false) // it would download dictionaries
  // What the sandbox itself serves over TLS has a certificate that nobody knows, and comes on a way of our own.
  guest.setCertificateVerifyProc(({ hostname }, answer) => answer(isLoopback(hostname) ? TRUSTED : AS_USUAL))
  let said = 0
  guest.on('will-download', (event, item, contents) => {
    event.preventDefault()
    if (Date.now() - said < AGAIN_MS) return
    said = Date.now()
    contents?.hostWebContents?.send(CHANNELS.previewDownload, item.getFilename())
  })
  guest.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isGuestRequest(details.url) }))
}

/** A browser asks again at once where what it was given is refused, and a page may download without end. */
const AGAIN_MS = 5_000
/** Of Electron, for a certificate. */
const TRUSTED = 0
const AS_USUAL = -3
const MAX_REMEMBERED = 200

/** Gives the proxy of a sandbox what it asks for, to the session of its previews alone, and to no server of a page. */
export function answerProxies(app: App, connect: () => Promise<Connection>): void {
  const given = new Map<string, { password: string; at: number }>()
  app.on('login', (event, contents, { url }, { isProxy }, answer) => {
    event.preventDefault()
    const sandboxId = contents && sandboxes.get(contents.session)
    if (!isProxy || !sandboxId) return answer()
    void proxyAnswer(sandboxId, url).then(
      proxy => (proxy ? answer(proxy.username, proxy.password) : answer()),
      () => answer(),
    )
  })

  async function proxyAnswer(sandboxId: string, url: string): Promise<SandboxProxy | undefined> {
    const proxy = await askProxy(await connect(), sandboxId)
    const key = `${sandboxId} ${url}`
    const last = given.get(key)
    if (last?.password === proxy.password && Date.now() - last.at < AGAIN_MS) return undefined
    if (given.size >= MAX_REMEMBERED) given.clear()
    given.set(key, { password: proxy.password, at: Date.now() })
    return proxy
  }
}

function askProxy(connection: Connection, sandbox_id: string): Promise<SandboxProxy> {
  return createClient(connection).call(openSandboxProxy, { params: { sandbox_id } })
}
