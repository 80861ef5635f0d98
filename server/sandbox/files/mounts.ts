import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, normalize, parse, posix, sep, win32 } from 'node:path'
import type { EngineConnection } from '../../docker/connection.ts'
import type { EngineUsers } from '../../docker/engine-info.ts'
import { AppError } from '../../domain/errors.ts'

/** The machine that a mount is taken from. */
export interface MountPolicyContext {
  platform: NodeJS.Platform
  home: string
  dataDir: string
  /** Paths of the sockets of all engines, also of those that do not answer now: who has one has all that runs there. */
  engineSockets: readonly string[]
  /** false where the engine runs on another machine, whose files nobody here can look at. */
  engineIsHere: boolean
  /** null while there is no engine. */
  users: EngineUsers | null
}

/** As it is now: the engine may have changed. @param hosts of all engines, as in DOCKER_HOST */
export function mountPolicyContext(
  dataDir: string,
  connection: Pick<EngineConnection, 'status' | 'users'>,
  hosts: readonly string[] = [],
): MountPolicyContext {
  const engine = connection.status()
  const endpoint = engine.state === 'ready' ? engine.endpoint : null
  const sockets = [...hosts, endpoint ?? ''].filter(host => host.startsWith('unix://'))
  const engineSockets = [...new Set(sockets.map(host => host.slice('unix://'.length)))]
  const engineIsHere = endpoint === null || /^(unix|npipe):/.test(endpoint)
  return {
    platform: process.platform,
    home: homedir(),
    dataDir,
    engineSockets,
    engineIsHere,
    users: connection.users(),
  }
}

/** What the system runs from. Whoever writes there, or reads its keys, has the machine. */
const SYSTEM_FOLDERS: Readonly<Record<'posix' | 'win32', readonly string[]>> = {
  posix: [
    ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr'],
    ...['/var/run', '/var/lib/docker', '/var/lib/containerd', '/var/lib/containers'],
    ...['/System', '/Library', '/private/etc', '/private/var/run', '/private/var/db'],
  ],
  win32: ['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
}

/** Removable disks are shown below a system folder. */
const REMOVABLE = '/run/media'

/** Where everybody's things are: a folder in it is a choice, all of it is an accident. */
const SHARED_FOLDERS: Readonly<Record<'posix' | 'win32', readonly string[]>> = {
  posix: ['/home', '/root', '/tmp', '/opt', '/srv', '/mnt', '/media', '/Users', '/Volumes', '/var/lib', '/private/tmp'],
  win32: ['C:\\Users'],
}

const KEY_FOLDERS = ['.ssh', '.gnupg', '.aws', '.azure', '.docker', '.kube', '.config/gcloud', '.password-store']

/**
 * The file or folder behind `hostPath`, through links. The engine gets this path, so that a link that is changed later
 * leads nowhere else.
 * @throws AppError bad_request saying why it cannot be mounted
 */
export async function mountSource(hostPath: string, context: MountPolicyContext): Promise<string> {
  const source = await lookAtSource(hostPath, context)
  if ('path' in source) return source.path
  const message = `${hostPath} cannot be mounted: ${source.refused}.`
  throw new AppError('bad_request', message, { details: { host_path: hostPath } })
}

/** As `mountSource`, with the reason where it cannot be mounted. */
export async function lookAtSource(
  hostPath: string,
  context: MountPolicyContext,
): Promise<{ path: string } | { refused: string }> {
  const path = normalizedPath(hostPath, context.platform)
  if (path === undefined) return { refused: 'it is not an absolute path' }
  const byName = whyNotMounted(path, context)
  if (byName) return { refused: byName }
  if (!context.engineIsHere) return { path }
  const real = await realpath(path).catch(() => undefined)
  const found = real && (await stat(real).catch(() => undefined))
  if (!real || !found) return { refused: 'there is nothing there' }
  if (!found.isDirectory() && !found.isFile()) return { refused: 'it is neither a folder nor a file' }
  const engineSockets = [...context.engineSockets, ...(await Promise.all(context.engineSockets.map(realOr)))]
  const byItself = {
    ...context,
    engineSockets,
    dataDir: await realOr(context.dataDir),
    home: await realOr(context.home),
  }
  const refused = whyNotMounted(real, byItself)
  return refused ? { refused } : { path: real }
}

/** undefined when it may be mounted. Looks at names only. */
export function whyNotMounted(
  path: string,
  context: Omit<MountPolicyContext, 'engineIsHere' | 'users'>,
): string | undefined {
  const kind = context.platform === 'win32' ? 'win32' : 'posix'
  const { within, overlaps, same } = comparison(context.platform)
  if (parse(path).root === path) return 'it is the whole disk'
  if (overlaps(path, context.dataDir)) return "it holds Atelier's own data"
  const isSocket = /(docker|podman|containerd)\.sock$/i.test(path)
  if (isSocket || context.engineSockets.some(socket => within(socket, path))) return "it holds the engine's socket"
  if (!within(path, REMOVABLE) && SYSTEM_FOLDERS[kind].some(folder => overlaps(path, folder))) {
    return 'it is a system folder'
  }
  if (SHARED_FOLDERS[kind].some(folder => same(path, folder))) return 'it is a folder of the system; choose one in it'
  if (within(context.home, path)) return 'it is the whole home folder; choose a folder in it'
  const keys = KEY_FOLDERS.map(name => `${context.home}${separator(context.platform)}${name}`)
  if (keys.some(folder => within(path, folder))) return 'it holds keys; use secrets instead'
  return undefined
}

function normalizedPath(path: string, platform: NodeJS.Platform): string | undefined {
  const rules = platform === process.platform ? { isAbsolute, normalize } : platform === 'win32' ? win32 : posix
  if (path.includes('\0') || !rules.isAbsolute(path)) return undefined
  const normal = rules.normalize(path)
  return parse(normal).root === normal ? normal : normal.replace(/[\\/]$/, '')
}

async function realOr(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function separator(platform: NodeJS.Platform): string {
  return platform === process.platform ? sep : platform === 'win32' ? '\\' : '/'
}

/** File systems of macOS and Windows do not tell cases apart. */
function comparison(platform: NodeJS.Platform) {
  const plain = (path: string) => (platform === 'linux' ? path : path.toLowerCase())
  const same = (path: string, other: string) => plain(path) === plain(other)
  const within = (path: string, folder: string) =>
    same(path, folder) || plain(path).startsWith(`${plain(folder)}${separator(platform)}`)
  return { same, within, overlaps: (path: string, other: string) => within(path, other) || within(other, path) }
}
