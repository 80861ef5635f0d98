import type { Call, Rule } from '../shell/analysis.ts'
import { runAsShell } from './shells.ts'

interface Wrapper {
  /** Options whose next word belongs to them. */
  withValue?: string[]
  /** Operands before the command: a duration, a mask, a file to lock. */
  skip?: number
  /** Words before the command that are subcommands: `poetry run`. */
  after?: string[] | undefined
  /** What running it so means by itself. */
  warn?: [risk: 'MEDIUM' | 'HIGH', reason: string]
  /** The command is text for a shell. */
  isText?: boolean
}

const RIGHTS: Wrapper['warn'] = ['HIGH', 'Runs with the rights of an administrator or of somebody else']
const SPACE: Wrapper['warn'] = ['HIGH', 'Leaves the set borders of the process']

/** Programs that run the command in their arguments. */
const WRAPPERS: Record<string, Wrapper> = {
  sudo: { warn: RIGHTS, withValue: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-U', '-D', '-R', '--user', '--group'] },
  doas: { warn: RIGHTS, withValue: ['-u', '-C'] },
  pkexec: { warn: RIGHTS, withValue: ['--user'] },
  gosu: { warn: RIGHTS, skip: 1 },
  'su-exec': { warn: RIGHTS, skip: 1 },
  setpriv: { warn: RIGHTS },
  capsh: { warn: RIGHTS },
  nsenter: { warn: SPACE, withValue: ['-t', '--target', '-S', '-G'] },
  unshare: { warn: SPACE },
  chroot: { warn: SPACE, skip: 1 },
  'systemd-run': { warn: ['HIGH', 'Starts a service of the system'] },
  env: { withValue: ['-u', '--unset', '-C', '--chdir'] },
  nice: { withValue: ['-n'] },
  ionice: { withValue: ['-c', '-n', '-p'] },
  chrt: { skip: 1 },
  taskset: { skip: 1, withValue: ['-c'] },
  nohup: {},
  setsid: {},
  time: { withValue: ['-f', '-o'] },
  timeout: { skip: 1, withValue: ['-s', '-k', '--signal', '--kill-after'] },
  gtimeout: { skip: 1, withValue: ['-s', '-k'] },
  stdbuf: { withValue: ['-i', '-o', '-e'] },
  unbuffer: {},
  command: {},
  builtin: {},
  exec: { withValue: ['-a'] },
  busybox: {},
  toybox: {},
  strace: { withValue: ['-e', '-o', '-p', '-s', '-u'] },
  ltrace: { withValue: ['-e', '-o', '-p', '-s', '-u'] },
  catchsegv: {},
  valgrind: {},
  entr: {},
  watchexec: { withValue: ['-e', '-w', '-i'] },
  rlwrap: {},
  fakeroot: {},
  proxychains: {},
  torsocks: {},
  faketime: { skip: 1 },
  'cross-env': {},
  dotenv: { withValue: ['-e', '-f'] },
  'dotenv-cli': {},
  firejail: {},
  bwrap: { warn: SPACE },
  'xvfb-run': { withValue: ['-n', '-s', '-e', '-f', '-p', '-w', '--server-args'] },
  'dbus-run-session': {},
  flock: { skip: 1, withValue: ['-w', '-E'] },
  watch: { isText: true, withValue: ['-n', '--interval'] },
  poetry: { after: ['run'] },
  pipenv: { after: ['run'] },
  pdm: { after: ['run'] },
  hatch: { after: ['run'] },
  uv: { after: ['run'], withValue: ['--with', '--python', '-p', '--project', '--extra', '--group'] },
  conda: { after: ['run'], withValue: ['-n', '-p', '--name', '--prefix'] },
  mamba: { after: ['run'], withValue: ['-n', '-p'] },
  bundle: { after: ['exec'] },
  rbenv: { after: ['exec'] },
  pyenv: { after: ['exec'] },
  mise: { after: ['exec', 'x'] },
  asdf: { after: ['exec'], skip: 1 },
  direnv: { after: ['exec'], skip: 1 },
  opam: { after: ['exec'] },
  stack: { after: ['exec'] },
  nix: { after: ['develop', 'run', 'shell'], warn: ['MEDIUM', 'Installs packages'] },
  cargo: { after: ['watch'] },
}

export function wrapperRule(name: string): Rule | undefined {
  const wrapper = WRAPPERS[name]
  return wrapper && (call => runInner(wrapper, call))
}

export const WRAPPER_NAMES = Object.keys(WRAPPERS)

function runInner(wrapper: Wrapper, { name, args, stdin, analysis }: Call): string | undefined {
  if (wrapper.after) {
    const at = args.findIndex(arg => !arg.startsWith('-'))
    if (!wrapper.after.includes(args[at] ?? '')) return undefined
    return runInner({ ...wrapper, after: undefined }, { name, args: args.slice(at + 1), stdin, analysis })
  }
  if (wrapper.warn) analysis.report(...wrapper.warn)
  const inner = commandIn(wrapper, { name, args, stdin, analysis })
  if (inner.length === 0) return name === 'env' && args.length === 0 ? analysis.runArgv(['printenv']) : ''
  const isText = wrapper.isText || (name === 'flock' && inner[0] === '-c')
  const words = inner[0] === '-c' ? inner.slice(1) : inner
  return isText ? runAsShell(analysis, words.join(' '), stdin) : analysis.runArgv(words, stdin)
}

function commandIn({ withValue = [], skip = 0 }: Wrapper, { name, args, analysis }: Call): string[] {
  let toSkip = skip
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const split = name === 'env' ? /^(?:-[a-z]*S|--split-string=?)([\s\S]*)$/.exec(arg)?.[1] : undefined
    if (split !== undefined)
      return [...(split || (args[++at] ?? '')).split(/\s+/).filter(Boolean), ...args.slice(at + 1)]
    if (arg === '--') return args.slice(at + 1 + toSkip)
    if (/^[A-Za-z_]\w*=/.test(arg))
      analysis.runText(
        `${arg.slice(0, arg.indexOf('='))}='${arg.slice(arg.indexOf('=') + 1).replaceAll("'", "'\\''")}'`,
      )
    else if (withValue.includes(arg)) at++
    else if (arg.startsWith('-') && !(name === 'flock' && arg === '-c')) continue
    else if (toSkip > 0) toSkip--
    else return args.slice(at)
  }
  return []
}
