import { posix } from 'node:path'
import type { Finding } from './finding.ts'
import { matchesGlob } from './glob-match.ts'
import { contains, hasTaint, readable } from './taint.ts'

/** What a path is to the person whose machine it is. */
type Zone = 'workspace' | 'temporary' | 'home' | 'system' | 'device' | 'kernel' | 'elsewhere' | 'unknown'

export interface ClassifiedPath {
  /** absolute and without `..`, as far as it is known */
  path: string
  zone: Zone
  /** the path inside its zone: below the working directory or the home */
  rest: string
}

const HOMES = /^\/(root|home\/[^/]+|Users\/[^/]+)(\/|$)/
const TEMPORARY = /^(\/private)?(\/var)?\/tmp(\/|$)/

export function classifyPath(path: string, where: { cwd: string; workingDir: string }): ClassifiedPath {
  if (path === '' || (hasTaint(path[0] ?? '') && path[0] !== undefined)) return { path, zone: 'unknown', rest: path }
  const full = absolute(path, where.cwd)
  const below = relativeTo(full, where.workingDir)
  if (below !== null) return { path: full, zone: 'workspace', rest: below }
  if (TEMPORARY.test(full)) return { path: full, zone: 'temporary', rest: full.replace(TEMPORARY, '') }
  const home = HOMES.exec(full)
  if (home) return { path: full, zone: 'home', rest: full.slice(home[0].length) }
  return { path: full, zone: zoneByTop(full), rest: full }
}

function absolute(path: string, cwd: string): string {
  const tilde = /^~([\w-]*)(?=\/|$)/.exec(path)
  if (tilde) {
    const home = tilde[1] && tilde[1] !== 'root' ? `/home/${tilde[1]}` : '/root'
    return posix.normalize(home + path.slice(tilde[0].length)).replace(/(?<=.)\/$/, '')
  }
  const full = posix.resolve(cwd, path)
  return contains(cwd, 'unknown') && !path.startsWith('/') ? path : full
}

/** The path below a folder, '' for the folder itself, null when it is elsewhere. */
function relativeTo(path: string, folder: string): string | null {
  const root = posix.resolve('/', folder || '/')
  if (folder === '' || root === '/') return null
  if (path === root) return ''
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null
}

function zoneByTop(path: string): Zone {
  const top = path.split('/')[1] ?? ''
  if (top === 'dev') return 'device'
  if (top === 'proc' || top === 'sys') return 'kernel'
  if (hasTaint(top)) return 'unknown'
  if (/[*?[]/.test(top)) return 'system'
  if (path === '/' || SYSTEM.has(top)) return 'system'
  return path.startsWith('/') ? 'elsewhere' : 'unknown'
}

const SYSTEM = new Set([
  'bin',
  'boot',
  'etc',
  'lib',
  'lib32',
  'lib64',
  'sbin',
  'usr',
  'var',
  'run',
  'opt',
  'srv',
  'home',
])

const HARMLESS_DEVICE =
  /^\/dev\/(null|zero|full|stdin|stdout|stderr|tty|random|urandom|ptmx|fd\/\d+|pts\/\d+|shm(\/.*)?)$/
const NETWORK_DEVICE = /^\/dev\/(tcp|udp)\//

/** What starts by itself later: shell start files, cron, services, keys that let somebody in. */
const RUNS_LATER = [
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|inputrc|xinitrc|xprofile|xsession)$/,
  /^\.ssh(\/|$)/,
  /^\.config\/(autostart|systemd|fish|git)(\/|$)/,
  /^\.(gitconfig|npmrc|pip|pypirc|netrc|vimrc|tmux\.conf|curlrc|wgetrc|docker|kube|aws|gnupg)(\/|$)/,
  /^(Library\/LaunchAgents|\.local\/bin|bin)\//,
]
const SYSTEM_RUNS_LATER =
  /^\/(etc\/(cron|profile|bash|zsh|environment|rc\.|init\.d|systemd|ld\.so|sudoers|pam\.d|ssh|passwd|shadow|group|hosts|resolv)|var\/spool\/cron|(usr\/)?lib\/systemd)/

/** Files of a repository that decide what runs later, elsewhere or by whom. */
const REPOSITORY_HOOK = /(^|\/)\.git\/(hooks(\/|$)|config$|modules\/.*\/(hooks|config))/
const REPOSITORY_SENSITIVE: [RegExp, string][] = [
  [/(^|\/)\.git(\/|$)/, "Changes git's own data"],
  [
    /(^|\/)\.(husky|githooks)(\/|$)|(^|\/)(\.pre-commit-config\.yaml|lefthook\.ya?ml)$/,
    'Changes what runs at every commit',
  ],
  [
    /(^|\/)\.github\/(workflows|actions)(\/|$)|(^|\/)\.(gitlab-ci|travis|drone)\.ya?ml$|(^|\/)(\.circleci\/|Jenkinsfile$|azure-pipelines\.yml$|bitbucket-pipelines\.yml$)/,
    'Changes what the build server runs',
  ],
  [
    /(^|\/)(\.openhands|\.agents|\.claude|\.cursor)(\/|$)|(^|\/)(AGENTS|CLAUDE|GEMINI)\.md$|(^|\/)\.mcp\.json$/,
    'Changes the instructions that agents get here',
  ],
  [
    /(^|\/)\.(vscode\/(tasks|settings|launch)\.json|devcontainer(\/|$)|envrc$)/,
    'Changes what an editor runs when the folder is opened',
  ],
]

export function findingOfWrite(place: ClassifiedPath): Finding | null {
  const shown = readable(place.path)
  switch (place.zone) {
    case 'workspace':
      return findingOfRepositoryWrite(place)
    case 'temporary':
      return null
    case 'device':
      if (HARMLESS_DEVICE.test(place.path)) return null
      if (NETWORK_DEVICE.test(place.path)) return { risk: 'HIGH', reason: `Opens a network connection: ${shown}` }
      return { risk: 'HIGH', reason: `Writes to a device: ${shown}` }
    case 'kernel':
      return { risk: 'HIGH', reason: `Changes the running system: ${shown}` }
    case 'unknown':
      return { risk: 'MEDIUM', reason: 'Writes to a file whose name only shows when it runs' }
    case 'home':
      if (RUNS_LATER.some(pattern => pattern.test(place.rest))) {
        return { risk: 'HIGH', reason: `Changes a file that works by itself later: ${shown}` }
      }
      return { risk: 'MEDIUM', reason: `Writes outside the working directory: ${shown}` }
    default:
      return findingOfSystemWrite(place)
  }
}

function findingOfSystemWrite({ path }: ClassifiedPath): Finding {
  const shown = readable(path)
  if (SYSTEM_RUNS_LATER.test(path)) return { risk: 'HIGH', reason: `Changes the system's set-up: ${shown}` }
  const own = /^\/(usr\/local|opt|srv|var|run|home)(\/|$)/.test(path)
  const system =
    /^\/(bin|boot|etc|lib\d*|sbin|usr)(\/|$)/.test(path) || path === '/' || /[*?[]/.test(path.split('/')[1] ?? '')
  return { risk: system && !own ? 'HIGH' : 'MEDIUM', reason: `Writes outside the working directory: ${shown}` }
}

function findingOfRepositoryWrite({ rest }: ClassifiedPath): Finding | null {
  if (REPOSITORY_HOOK.test(rest)) return { risk: 'HIGH', reason: `Changes what git runs by itself: ${readable(rest)}` }
  const delicate = REPOSITORY_SENSITIVE.find(([pattern]) => pattern.test(rest))
  if (delicate) return { risk: 'MEDIUM', reason: `${delicate[1]}: ${readable(rest)}` }
  return null
}

const SECRET_HOME =
  /^\.(ssh|aws|azure|gnupg|kube|docker|netrc|git-credentials|npmrc|pypirc|pgpass|my\.cnf|vault-token|password-store|mozilla|\w*_history|cargo\/credentials|terraform\.d|config\/(gcloud|gh|op|chromium|google-chrome|hub)|local\/share\/keyrings)(\/|\.|$)/
const PUBLIC =
  /\.pub$|(^|\/)known_hosts$|^\/(etc\/ssl\/certs|usr\/(local\/)?share|usr\/lib)\/|\/node_modules\/|\/site-packages\//
const SECRET_SYSTEM =
  /^\/(etc\/(shadow|gshadow|sudoers|ssh\/ssh_host|ssl\/private|security\/opasswd)|run\/secrets|var\/run\/secrets|proc\/[^/]+\/(environ|mem|maps|root|fd)|dev\/(mem|kmem|sd|nvme|vd|hd|disk|mapper)|(var\/)?run\/docker\.sock)/
const SECRET_NAME =
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|\.env(\.[\w-]+)?|\.netrc|\.git-credentials|\.pgpass|credentials(\.json|\.ini)?|secrets?\.(json|ya?ml|toml|env)|[^/]+\.(pem|key|p12|pfx|kdbx|jks|keystore))$/i
const SAMPLE = /\.(example|sample|template|dist|defaults?|test|schema)$/i

/** Paths that a pattern such as `/etc/sh?dow` may stand for. */
const SECRET_EXAMPLES = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/root/.ssh/id_rsa',
  '/root/.ssh/id_ed25519',
  '/root/.aws/credentials',
  '/root/.netrc',
  '/root/.git-credentials',
  '/root/.bash_history',
  '/root/.npmrc',
  '/proc/1/environ',
  '/proc/self/environ',
  '/run/secrets/token',
]

export function isSecret(place: ClassifiedPath): boolean {
  return findingOfRead(place) !== null
}

export function findingOfRead(place: ClassifiedPath): Finding | null {
  const { path, zone, rest } = place
  if (PUBLIC.test(path)) return null
  if (NETWORK_DEVICE.test(path)) return { risk: 'HIGH', reason: `Opens a network connection: ${readable(path)}` }
  const named = SECRET_NAME.test(path) && !SAMPLE.test(path)
  if (zone === 'workspace')
    return named ? { risk: 'MEDIUM', reason: `Reads a file that may hold secrets: ${readable(rest)}` } : null
  const secret = named || (zone === 'home' && SECRET_HOME.test(rest)) || SECRET_SYSTEM.test(path) || hidesSecret(path)
  if (!secret || zone === 'temporary') return null
  return { risk: 'HIGH', reason: `Reads secrets outside the working directory: ${readable(path)}` }
}

function hidesSecret(path: string): boolean {
  if (!/[*?[]/.test(path) || !path.startsWith('/')) return false
  return SECRET_EXAMPLES.some(example => matchesGlob(path, example))
}
