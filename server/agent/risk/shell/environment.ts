import { hasTaint } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'

/** Variables whose value is run as a command by other programs, or that put other code into them. */
const RUNS = new Set([
  'PROMPT_COMMAND',
  'GIT_SSH_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'LESSOPEN',
  'MANPAGER',
  'GIT_PROXY_COMMAND',
  'RSYNC_RSH',
  'TAR_OPTIONS',
])
const READS = new Set([
  'PAGER',
  'GIT_PAGER',
  'EDITOR',
  'VISUAL',
  'GIT_EDITOR',
  'BROWSER',
  'GIT_SEQUENCE_EDITOR',
  'GIT_SSH',
])
const LOADS = new Set([
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'BASH_ENV',
  'ENV',
  'PYTHONSTARTUP',
  'PERL5OPT',
  'RUBYOPT',
  'PERL5DB',
  'DYLD_INSERT_LIBRARIES',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
])
const SWITCHES_OFF: Record<string, RegExp> = {
  GIT_SSL_NO_VERIFY: /./,
  NODE_TLS_REJECT_UNAUTHORIZED: /^0$/,
  PYTHONHTTPSVERIFY: /^0$/,
  NPM_CONFIG_STRICT_SSL: /^false$/i,
}
const FORGETS = new Set(['HISTFILE', 'HISTSIZE'])
const HARMLESS_COMMANDS = /^(|true|:|cat|less|more|nano|vi|vim|code|echo|none)( -\w+)*$/

/** An assignment is rated for what other programs do with it. */
export function rateAssignment(analysis: ShellAnalysis, name: string, value: string): void {
  if (SWITCHES_OFF[name]?.test(value)) analysis.report('HIGH', `Switches a safety check off: ${name}`)
  else if (LOADS.has(name)) {
    if (value !== '') analysis.report('HIGH', `Loads other code into the programs that run: ${name}`)
  } else if (RUNS.has(name)) {
    analysis.report(hasTaint(value) ? 'HIGH' : 'MEDIUM', `Sets a command that other programs run: ${name}`)
    analysis.runText(value)
  } else if (READS.has(name) && !HARMLESS_COMMANDS.test(value)) {
    analysis.report('MEDIUM', `Sets a command that other programs run: ${name}`)
    analysis.runText(value)
  } else if (FORGETS.has(name)) analysis.report('MEDIUM', 'Keeps commands out of the shell history')
  else if (name === 'PATH' && value.split(':').some(folder => analysis.classify(folder || '.').zone === 'temporary')) {
    analysis.report('MEDIUM', 'Looks for programs in a temporary folder')
  } else if (name === 'NODE_OPTIONS' && /--(require|import|loader|experimental-loader)|-r\b/.test(value)) {
    analysis.report('MEDIUM', 'Loads other code into the programs that run: NODE_OPTIONS')
  }
}
