import { clip } from '../finding.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { contains, readable } from '../taint.ts'
import { writeTo } from './files.ts'
import { operands, optionValues } from './options.ts'
import { runAsShell } from './shells.ts'
import { wrapperRule } from './wrappers.ts'

/** From somewhere else than the registry that everybody uses. */
const FROM_ELSEWHERE =
  /^(git\+|https?:|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)|^[\w.-]+\/[\w.-]+(#|$)|\.git(@|#|$)/
const OTHER_REGISTRY =
  /^(--(index-url|extra-index-url|registry|trusted-host|find-links|source|index|default-index)|-i$|-f$)/

function rateInstall(analysis: ShellAnalysis, args: readonly string[], names: readonly string[]): void {
  const foreign = names.find(name => FROM_ELSEWHERE.test(name) && !/^(\.|\/|~)/.test(name) && !/^@[\w.-]+\//.test(name))
  if (foreign !== undefined) analysis.report('HIGH', `Installs code from an address: ${clip(readable(foreign))}`)
  else if (contains(names.join(' '), 'network', 'encoded'))
    analysis.report('HIGH', 'Installs what only shows when it runs')
  else if (args.some(arg => OTHER_REGISTRY.test(arg)))
    analysis.report('HIGH', 'Installs packages from an unusual source')
  else
    analysis.report(
      'MEDIUM',
      names.length > 0 ? `Installs packages: ${clip(readable(names.join(' ')))}` : 'Installs packages',
    )
}

const pip: Rule = ({ args, analysis }) => {
  const words = operands(args, [
    '-r',
    '-c',
    '-t',
    '--target',
    '--requirement',
    '--prefix',
    '--root',
    '-i',
    '--index-url',
    '--extra-index-url',
  ])
  const [command = '', ...names] = words
  if (['install', 'download', 'wheel'].includes(command)) rateInstall(analysis, args, names)
  else if (command === 'uninstall') analysis.report('MEDIUM', 'Removes packages')
  else if (command === 'config' && names[0] === 'set') analysis.report('MEDIUM', 'Changes where packages come from')
  for (const folder of optionValues(args, 't', 'target', 'prefix', 'root')) writeTo(analysis, folder)
  return undefined
}

const NPM_INSTALLS = new Set([
  'install',
  'i',
  'add',
  'ci',
  'update',
  'up',
  'upgrade',
  'install-test',
  'it',
  'clean-install',
  'in',
  'link',
  'rebuild',
  'dedupe',
  'import',
])
const NPM_REMOVES = new Set(['uninstall', 'remove', 'rm', 'un', 'unlink', 'prune'])
const NPM_PUBLISHES = new Set([
  'publish',
  'unpublish',
  'deprecate',
  'dist-tag',
  'owner',
  'access',
  'token',
  'adduser',
  'login',
  'team',
  'hook',
  'star',
])
const NPM_RUNS = new Set(['exec', 'x', 'dlx', 'create', 'init'])

const npm: Rule = ({ name, args, stdin, analysis }) => {
  if (args.some(arg => /^--(script-shell|shell)\b/.test(arg))) {
    analysis.report('HIGH', 'Lets another program run the scripts')
    for (const shell of optionValues(args, '', 'script-shell', 'shell')) analysis.runText(shell)
  }
  const words = operands(args, [
    '--prefix',
    '-w',
    '--workspace',
    '-C',
    '--dir',
    '--filter',
    '-F',
    '--cwd',
    '--registry',
    '--script-shell',
  ])
  const [command = '', ...rest] = words
  if (NPM_INSTALLS.has(command) || (name === 'yarn' && command === '' && args.length === 0))
    rateInstall(analysis, args, rest)
  else if (NPM_REMOVES.has(command)) analysis.report('MEDIUM', 'Removes packages')
  else if (NPM_PUBLISHES.has(command)) analysis.report('HIGH', 'Publishes or changes a package for everybody')
  else if (NPM_RUNS.has(command)) return runPackage(analysis, { name, command, args, stdin })
  else if (command === 'config' || command === 'set') rateNpmConfig(analysis, rest)
  else if (command === 'global') rateInstall(analysis, args, rest.slice(1))
  return undefined
}

function rateNpmConfig(analysis: ShellAnalysis, words: readonly string[]): void {
  const text = words.join(' ')
  if (/strict-ssl[= ]false/.test(text)) return analysis.report('HIGH', 'Switches a safety check off: strict-ssl')
  if (/script-shell|registry|node-options|git[= ]|shell[= ]|editor|_auth/.test(text) && /^set|=/.test(text))
    analysis.report('HIGH', 'Changes where packages come from or what runs their scripts')
  else if (/^set/.test(text)) analysis.report('MEDIUM', 'Changes the settings of the package manager')
}

function runPackage(
  analysis: ShellAnalysis,
  { name, command, args, stdin }: { name: string; command: string; args: readonly string[]; stdin: string | undefined },
): string | undefined {
  const inner = args.slice(args.indexOf(command) + 1)
  if (command === 'init' && operands(inner).length === 0) return undefined
  const texts = optionValues(inner, 'c', 'call')
  if (texts.length > 0) return runAsShell(analysis, texts.join(' '), stdin)
  const rest = inner[0] === '--' ? inner.slice(1) : inner
  return npx({
    name: name === 'npm' || command === 'dlx' || command === 'create' ? 'npx' : name,
    args: rest,
    stdin,
    analysis,
  })
}

/** Tools that a project has installed: `npx` does not fetch them then. */
const TOOLS = new Set(
  'tsc tsx ts-node vite vitest jest mocha ava c8 nyc eslint prettier biome @biomejs/biome stylelint webpack rollup esbuild swc babel playwright cypress next nuxt astro remix ng turbo nx lerna lint-staged husky rimraf prisma drizzle-kit knex sequelize tailwindcss storybook typedoc depcruise madge knip oxlint tap karma nodemon concurrently cross-env wait-on serve http-server json-server electron electron-builder expo react-scripts vue-tsc svelte-check markdownlint cspell size-limit changeset semver npm-check-updates ncu'.split(
    ' ',
  ),
)

const npx: Rule = ({ args, stdin, analysis }) => {
  const withValue = ['-p', '--package', '-c', '--call']
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && !withValue.includes(args[index - 1] ?? ''))
  const own = at < 0 ? args : args.slice(0, at)
  const texts = optionValues(own, 'c', 'call')
  if (texts.length > 0) return runAsShell(analysis, texts.join(' '), stdin)
  for (const name of optionValues(own, 'p', 'package')) rateInstall(analysis, own, [name])
  const [program, ...rest] = at < 0 ? [] : args.slice(at)
  if (program === undefined) return undefined
  const name = program.replace(/(?<=.)@[^/]*$/, '')
  if (FROM_ELSEWHERE.test(program) && !program.startsWith('@')) {
    analysis.report('HIGH', `Runs code from an address: ${clip(readable(program))}`)
  } else if (!TOOLS.has(name)) analysis.report('MEDIUM', `Fetches a package and runs it: ${clip(readable(program))}`)
  return analysis.programs.has(name) ? analysis.runArgv([name, ...rest], stdin) : undefined
}

const runsFetched: Rule = ({ args, analysis }) => {
  const name = operands(args, ['--from', '--with', '--python', '-p', '--spec'])[0] ?? ''
  const sources = [name, ...optionValues(args, '', 'from', 'with', 'spec')]
  if (sources.some(source => FROM_ELSEWHERE.test(source)))
    analysis.report('HIGH', `Runs code from an address: ${clip(readable(name))}`)
  else if (name !== '') analysis.report('MEDIUM', `Fetches a package and runs it: ${clip(readable(name))}`)
  return undefined
}

const systemPackages: Rule = ({ args, analysis }) => {
  const [command = '', ...names] = operands(args, ['-o', '-t', '-c', '-y'])
  const letters = args.find(arg => /^-[A-Z]/.test(arg)) ?? ''
  for (const option of optionValues(args, 'o', 'option')) {
    const hook = /(?:Pre-Invoke|Post-Invoke|Pre-Install-Pkgs|Post-Invoke-Success)(?:::)?\s*=\s*(.*)/i.exec(option)?.[1]
    if (hook !== undefined) analysis.runText(hook)
  }
  if (
    args.some(arg =>
      /allow-unauthenticated|no-gpg-check|nogpgcheck|allow-untrusted|allow-downgrades|force-yes/.test(arg),
    )
  )
    return void analysis.report('HIGH', 'Installs packages without checking where they come from')
  if (
    /^(list|search|show|info|policy|depends|rdepends|view|outdated|why|check|help)$/.test(command) ||
    /^-(Q|Ss|Si)/.test(letters)
  )
    return undefined
  if (/remove|purge|erase|autoremove|uninstall|del/.test(command) || /^-R/.test(letters))
    return void analysis.report('MEDIUM', 'Removes packages of the system')
  if (command === '' && letters === '') return undefined
  return void analysis.report(
    'MEDIUM',
    `Changes the packages of the system: ${clip(readable([command, ...names].join(' ')))}`,
  )
}

/** Subcommands of language tools: what installs, and what publishes. The rest builds and tests. */
const TOOLCHAINS: Record<string, { installs: RegExp; publishes?: RegExp }> = {
  cargo: { installs: /^(install|add|update|fetch|uninstall|remove)$/, publishes: /^(publish|yank|owner|login)$/ },
  go: { installs: /^(get|install)$/ },
  gem: { installs: /^(install|update|uninstall)$/, publishes: /^(push|yank|owner|signin)$/ },
  bundle: { installs: /^(install|add|update|remove)$/ },
  composer: { installs: /^(install|require|update|remove|create-project|global)$/ },
  poetry: { installs: /^(add|install|update|remove|lock|sync)$/, publishes: /^publish$/ },
  pipenv: { installs: /^(install|update|uninstall|sync)$/ },
  pdm: { installs: /^(add|install|update|remove|sync)$/, publishes: /^publish$/ },
  uv: { installs: /^(add|sync|remove|lock|tool)$/, publishes: /^publish$/ },
  conda: { installs: /^(install|create|update|remove|env)$/ },
  mamba: { installs: /^(install|create|update|remove|env)$/ },
  dotnet: { installs: /^(add|restore|tool|workload)$/ },
  mix: { installs: /^(deps\.get|archive\.install|local\.\w+)$/, publishes: /^hex\.publish$/ },
  dart: { installs: /^pub$/ },
  flutter: { installs: /^(pub|upgrade)$/ },
  rustup: { installs: /./ },
  nvm: { installs: /^(install|use)$/ },
  corepack: { installs: /./ },
  cabal: { installs: /^(install|update)$/, publishes: /^upload$/ },
  opam: { installs: /^(install|update|upgrade|remove)$/ },
  twine: { installs: /^$/, publishes: /^upload$/ },
  'semantic-release': { installs: /^$/, publishes: /^/ },
  mvn: { installs: /^$/, publishes: /^(deploy|release:perform|deploy:deploy)$/ },
  gradle: { installs: /^$/, publishes: /^(publish|uploadArchives)/ },
}

function toolchain({ name, args, stdin, analysis }: Call): string | undefined {
  const { installs, publishes } = TOOLCHAINS[name] ?? { installs: /^$/ }
  if (name === 'uv' && args[0] === 'pip') return pip({ name: 'pip', args: args.slice(1), stdin, analysis })
  const words = operands(args)
  const [command = '', ...names] = words
  if (command.startsWith('shell.') || (name === 'opam' && command === 'env')) return `: set-up of ${name}\n`
  if (publishes && words.some(word => publishes.test(word))) analysis.report('HIGH', 'Publishes to everybody')
  else if (installs.test(command) && command !== '')
    rateInstall(
      analysis,
      args,
      names.filter(each => !/^github\.com\//.test(each) && name !== 'go'),
    )
  for (const git of optionValues(args, '', 'git'))
    analysis.report('HIGH', `Installs code from an address: ${clip(readable(git))}`)
  return wrapperRule(name)?.({ name, args, stdin, analysis })
}

export const PACKAGE_PROGRAMS: Record<string, Rule> = {
  ...Object.fromEntries(Object.keys(TOOLCHAINS).map(name => [name, toolchain])),
  ...Object.fromEntries(['pip', 'pip3', 'pip2', 'easy_install'].map(name => [name, pip])),
  ...Object.fromEntries(['npm', 'yarn', 'pnpm', 'cnpm'].map(name => [name, npm])),
  npx,
  bunx: npx,
  ...Object.fromEntries(['uvx', 'pipx', 'nix-shell'].map(name => [name, runsFetched])),
  ...Object.fromEntries(
    [
      'apt',
      'apt-get',
      'aptitude',
      'apk',
      'yum',
      'dnf',
      'microdnf',
      'pacman',
      'zypper',
      'brew',
      'snap',
      'dpkg',
      'rpm',
      'flatpak',
      'port',
      'emerge',
      'pkg',
    ].map(name => [name, systemPackages]),
  ),
}
