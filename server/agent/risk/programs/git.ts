import { clip } from '../finding.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { readable } from '../taint.ts'
import { deleteAt, writeTo } from './files.ts'
import { hasFlag, operands, optionValues } from './options.ts'

/** Keys of git's configuration whose values are run. */
const RUNS =
  /^(core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|alias\.|credential\.|diff\..*\.(command|textconv)|diff\.external|merge\..*\.driver|filter\.|sequence\.editor|gpg\.program|gpg\..*\.program|pager\.|url\..*\.insteadof|protocol\.|include|uploadpack\.|receive\.|init\.templatedir|browser\.|man\.|web\.|interactive\.difffilter|trailer\.|submodule\..*\.update|http\.proxy|remote\..*\.(vcs|uploadpack|receivepack))/i

const GLOBAL_WITH_VALUE = [
  '-c',
  '-C',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
]

const git: Rule = ({ args, analysis }) => {
  let at = 0
  for (; at < args.length && args[at]?.startsWith('-'); at++) {
    const option = args[at] ?? ''
    const value = args[at + 1] ?? ''
    if (option === '-c') rateConfig(analysis, value.split('=')[0] ?? '', value.slice(value.indexOf('=') + 1))
    if (/^--(exec-path|config-env)/.test(option)) analysis.report('HIGH', 'Lets git run other programs')
    if (GLOBAL_WITH_VALUE.includes(option)) at++
  }
  const [command = '', ...rest] = args.slice(at)
  const rule = COMMANDS[command]
  if (rule) rule(rest, analysis)
  else if (command !== '' && !HARMLESS.has(command))
    analysis.report('MEDIUM', `Runs a git command that the rules do not know: ${clip(readable(command))}`)
  rateHookOptions(analysis, command, rest)
  return undefined
}

const HARMLESS = new Set(
  'status diff log show add commit blame describe shortlog grep ls-files ls-tree ls-remote rev-parse rev-list cat-file merge-base name-rev cherry cherry-pick revert switch merge mv help version var check-ignore check-attr whatchanged range-diff format-patch apply am bisect difftool mergetool for-each-ref show-ref symbolic-ref hash-object write-tree read-tree init worktree notes archive bundle sparse-checkout count-objects fsck instaweb gui citool request-pull rerere stripspace diff-tree diff-index diff-files merge-tree maintenance annotate tag interpret-trailers'.split(
    ' ',
  ),
)

function rateHookOptions(analysis: ShellAnalysis, command: string, args: readonly string[]): void {
  if (['commit', 'push', 'merge', 'am', 'rebase'].includes(command) && args.includes('--no-verify'))
    analysis.report('MEDIUM', 'Skips the checks of the repository')
  if (
    command === 'commit' &&
    hasFlag(
      args.filter(arg => /^-[a-z]*n[a-z]*$/.test(arg) && !/^-\w*m/.test(arg)),
      'n',
    )
  )
    analysis.report('MEDIUM', 'Skips the checks of the repository')
  for (const value of [
    ...optionValues(args, '', 'upload-pack', 'receive-pack', 'exec', 'extcmd', 'open-files-in-pager'),
  ]) {
    if (['ls-remote', 'fetch', 'pull', 'clone', 'push', 'archive', 'rebase', 'difftool', 'grep'].includes(command)) {
      analysis.report('MEDIUM', `Lets git run a command: ${clip(readable(value))}`)
      analysis.runText(value)
    }
  }
  if (['diff', 'log', 'show', 'format-patch', 'archive'].includes(command)) {
    for (const path of optionValues(
      args,
      command === 'diff' || command === 'log' ? '' : 'o',
      'output',
      'output-directory',
    ))
      writeTo(analysis, path)
  }
  if (command === 'bisect' && args[0] === 'run') analysis.runArgv(args.slice(1))
}

function rateConfig(analysis: ShellAnalysis, key: string, value: string): void {
  if (/sslverify|sslcainfo/i.test(key) && !/^(true|1|)$/i.test(value))
    return analysis.report('HIGH', 'Switches a safety check off: http.sslVerify')
  if (/^safe\./i.test(key)) return
  if (!RUNS.test(key)) return
  if (
    /^(core\.(pager|editor)|pager\.\w+|sequence\.editor)$/i.test(key) &&
    /^(cat|less|true|:|vi|vim|nano|false|)$/.test(value)
  )
    return
  if (/^alias\./i.test(key) && !value.startsWith('!')) return
  analysis.report('HIGH', `Sets what git runs by itself: ${clip(readable(key))}`)
  analysis.runText(value.replace(/^!/, ''))
}

type Command = (args: readonly string[], analysis: ShellAnalysis) => void

const push: Command = (args, analysis) => {
  const refs = operands(args, ['-o', '--push-option', '--repo', '--receive-pack', '--exec'])
  const forced =
    hasFlag(args, 'f', 'force', 'force-with-lease', 'force-if-includes', 'mirror') ||
    refs.slice(1).some(ref => ref.startsWith('+'))
  if (forced) return analysis.report('HIGH', 'Overwrites the history of a remote repository')
  if (hasFlag(args, 'd', 'delete', 'prune') || refs.slice(1).some(ref => ref.startsWith(':')))
    return analysis.report('HIGH', 'Deletes branches or tags of a remote repository')
  if (/:\/\/|@.*:/.test(refs[0] ?? ''))
    return analysis.report('HIGH', `Sends the repository to ${clip(readable(refs[0] ?? ''))}`)
  analysis.report('MEDIUM', 'Sends commits to a remote repository')
}

const checkout: Command = (args, analysis) => {
  const everything = args.includes('.') || args.includes(':/') || args.includes('*')
  if (everything || hasFlag(args, 'f', 'force'))
    return analysis.report('HIGH', 'Throws all changes that are not committed away')
  if (args.includes('--')) analysis.report('MEDIUM', 'Throws changes that are not committed away')
}

const restore: Command = (args, analysis) => {
  if (hasFlag(args, 'S', 'staged') && !hasFlag(args, 'W', 'worktree')) return
  const everything = args.includes('.') || args.includes(':/') || args.includes('*')
  analysis.report(everything ? 'HIGH' : 'MEDIUM', 'Throws changes that are not committed away')
}

const config: Command = (args, analysis) => {
  const words = operands(args, ['-f', '--file', '--type', '--default'])
  const wordsFrom = ['set', 'get', 'unset', 'list'].includes(words[0] ?? '') ? words.slice(1) : words
  const [key = '', value] = wordsFrom
  if (/^(get|list)$/.test(words[0] ?? '') || args.some(arg => /^--(get|list)|^-l$/.test(arg)) || value === undefined)
    return
  if (hasFlag(args, '', 'global', 'system')) analysis.report('MEDIUM', "Changes git's settings for all repositories")
  for (const path of optionValues(args, 'f', 'file')) writeTo(analysis, path)
  rateConfig(analysis, key, value)
}

const network: Command = (args, analysis) => {
  analysis.report('MEDIUM', 'Talks to a remote repository')
  if (args.some(arg => /^ext::|^-?-?upload-pack|^fd::/.test(arg)))
    analysis.report('HIGH', 'Lets git run a command for the connection')
  const urls = args.filter(arg => arg.startsWith('ext::')).map(arg => arg.slice(5))
  for (const text of urls) analysis.runText(text)
  for (const value of optionValues(args, 'c', 'config'))
    if (value.includes('=')) rateConfig(analysis, value.split('=')[0] ?? '', value.slice(value.indexOf('=') + 1))
}

const high =
  (reason: string): Command =>
  (_args, analysis) =>
    analysis.report('HIGH', reason)

const COMMANDS: Record<string, Command> = {
  push,
  checkout,
  restore,
  config,
  reset: (args, analysis) => {
    if (hasFlag(args, '', 'hard', 'merge')) analysis.report('HIGH', 'Throws changes that are not committed away')
  },
  clean: (args, analysis) => {
    if (!hasFlag(args, 'n', 'dry-run')) analysis.report('HIGH', 'Deletes files that git does not know')
  },
  branch: (args, analysis) => {
    if (hasFlag(args, 'DM') || (hasFlag(args, 'f', 'force') && args.length > 1))
      analysis.report('MEDIUM', 'Deletes or overwrites a branch')
  },
  stash: (args, analysis) => {
    if (['drop', 'clear'].includes(args[0] ?? '')) analysis.report('MEDIUM', 'Throws changes away that were put aside')
  },
  clone: (args, analysis) => {
    network(args, analysis)
    const folder = operands(args, [
      '-b',
      '--branch',
      '--depth',
      '-c',
      '--config',
      '-o',
      '--origin',
      '--template',
      '--reference',
      '-j',
      '--filter',
    ])[1]
    if (folder) writeTo(analysis, folder)
    if (optionValues(args, '', 'template').length > 0) analysis.report('HIGH', 'Takes over what git runs by itself')
  },
  fetch: network,
  pull: network,
  remote: (args, analysis) => {
    if (['add', 'set-url', 'remove', 'rm', 'rename'].includes(args[0] ?? ''))
      analysis.report('MEDIUM', 'Changes the remote repositories')
    if (args.some(arg => arg.startsWith('ext::'))) network(args, analysis)
  },
  submodule: (args, analysis) => {
    const at = args.indexOf('foreach')
    if (at >= 0) analysis.runText(operands(args.slice(at + 1)).join(' '))
    else if (args.length > 0 && args[0] !== 'status') network(args, analysis)
  },
  rebase: (args, analysis) => {
    for (const text of optionValues(args, 'x')) analysis.runText(text)
  },
  'filter-branch': (args, analysis) => {
    analysis.report('HIGH', 'Rewrites the whole history')
    for (const text of args.filter(arg => /\s/.test(arg))) analysis.runText(text)
  },
  'filter-repo': high('Rewrites the whole history'),
  reflog: (args, analysis) => {
    if (['expire', 'delete'].includes(args[0] ?? '')) analysis.report('HIGH', 'Deletes what could restore lost commits')
  },
  gc: (args, analysis) => {
    if (args.some(arg => arg.startsWith('--prune'))) analysis.report('HIGH', 'Deletes what could restore lost commits')
  },
  prune: high('Deletes what could restore lost commits'),
  'update-ref': (args, analysis) =>
    analysis.report(hasFlag(args, 'd') ? 'HIGH' : 'MEDIUM', 'Changes branches directly'),
  rm: (args, analysis) => {
    if (!hasFlag(args, '', 'cached')) for (const path of operands(args)) deleteAt(analysis, path, hasFlag(args, 'r'))
  },
  'send-email': high('Sends the repository by mail'),
  daemon: high('Offers the repository to others'),
  credential: high('Shows stored passwords'),
  'credential-store': high('Shows stored passwords'),
}

export const GIT_PROGRAMS: Record<string, Rule> = {
  git,
  hub: git,
  'git-lfs': (call: Call) => void call.analysis.report('MEDIUM', 'Talks to a remote repository'),
}
