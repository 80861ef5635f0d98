import { hostOf } from '../../../text/address-host.ts'
import { clip } from '../finding.ts'
import { findingOfWrite, isSecret } from '../paths.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { contentOf } from '../shell/content.ts'
import { contains, hasTaint, originsOf, readable, TAINT } from '../taint.ts'
import { writeTo } from './files.ts'
import { hostKindOf } from './host.ts'
import { hasFlag, operands, optionValues } from './options.ts'

const CURL_WITH_VALUE =
  '-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file -o --output -H --header -X --request -u --user -b --cookie -c --cookie-jar -A --user-agent -e --referer -w --write-out -m --max-time --connect-timeout --retry --retry-delay -x --proxy --resolve --connect-to -K --config --cacert --cert -E --key -r --range -D --dump-header --output-dir --url --interface --limit-rate --stderr --trace --unix-socket --oauth2-bearer --dns-servers --doh-url --aws-sigv4 --url-query -C --continue-at'.split(
    ' ',
  )

const curl: Rule = ({ args, stdin, analysis }) => {
  const urls = [...operands(args, CURL_WITH_VALUE), ...optionValues(args, '', 'url')]
  const bodies = optionValues(
    args,
    'dFT',
    'data',
    'data-raw',
    'data-binary',
    'data-urlencode',
    'data-ascii',
    'json',
    'form',
    'form-string',
    'upload-file',
  )
  const heads = optionValues(
    args,
    'HubAeX',
    'header',
    'user',
    'cookie',
    'user-agent',
    'referer',
    'oauth2-bearer',
    'url-query',
    'aws-sigv4',
  )
  if (hasFlag(args, 'k', 'insecure', 'proxy-insecure')) analysis.report('MEDIUM', 'Does not check whom it talks to')
  if (optionValues(args, 'K', 'config').length > 0) analysis.report('MEDIUM', 'Takes its addresses from a file')
  const uploads = new Set(optionValues(args, 'T', 'upload-file'))
  const raw = new Set(optionValues(args, '', 'data-raw', 'form-string'))
  const sent = bodies.map(body =>
    raw.has(body) ? body : withFiles(analysis, body, { stdin, upload: uploads.has(body) }),
  )
  const head = heads.map(each => withFiles(analysis, each, { stdin, upload: false })).join('\n')
  for (const url of urls) {
    rateRequest(analysis, {
      url,
      sent: sent.join(''),
      heads: head,
      uploads: bodies.length > 0,
    })
  }
  const files = optionValues(args, 'oDc', 'output', 'dump-header', 'cookie-jar')
  return save(
    analysis,
    files,
    optionValues(args, '', 'output-dir').concat(hasFlag(args, 'O', 'remote-name') ? urls.map(nameOf) : []),
  )
}

function nameOf(url: string): string {
  return url.split(/[?#]/)[0]?.split('/').at(-1) || 'index.html'
}

function save(analysis: ShellAnalysis, files: readonly string[], others: readonly string[]): string {
  const all = [...files, ...others].filter(file => file !== '-')
  for (const file of all) {
    writeTo(analysis, file)
    analysis.scope.written.set(analysis.classify(file).path, TAINT.network)
  }
  return all.length > 0 && !files.includes('-') ? '' : TAINT.network
}

/** A body with what the files that it names hold: `@file`, `name=@file`, `<file`, `-`. */
function withFiles(
  analysis: ShellAnalysis,
  body: string,
  { stdin, upload }: { stdin: string | undefined; upload: boolean },
): string {
  const path = upload ? body : /(?:^|=)[@<]([^;]*)/.exec(body)?.[1]
  if (path === undefined) return body
  if (path === '-' || path === '.') return stdin ?? TAINT.unknown
  return isSecret(analysis.classify(path)) ? TAINT.secret : contentOf(analysis, path)
}

interface Request {
  url: string
  sent: string
  heads: string
  uploads: boolean
}

function rateRequest(analysis: ShellAnalysis, { url, sent, heads, uploads }: Request): void {
  const host = hostOf(url)
  const kind = hostKindOf(host)
  if (/^file:/i.test(url)) return analysis.report('MEDIUM', `Reads a file by its address: ${clip(readable(url))}`)
  if (kind === 'metadata')
    return analysis.report('HIGH', `Asks the machine's cloud for its credentials: ${readable(host)}`)
  if (kind === 'loopback') return
  const all = url + sent + heads
  if (contains(all, 'secret')) return analysis.report('HIGH', `Sends secrets to ${readable(host)}`)
  if (contains(all, 'token') && !belongsTo(analysis, host))
    return analysis.report('HIGH', `Sends a secret to ${readable(host)}`)
  if (contains(sent + url, 'file', 'encoded') || contains(heads, 'file', 'encoded'))
    return analysis.report('HIGH', `Sends files or the output of commands to ${readable(host)}`)
  if (uploads && hasTaint(sent) && !contains(sent, 'token'))
    return analysis.report('HIGH', `Sends data that only shows when it runs to ${readable(host)}`)
  if (/^[^/]*:\/\/[^/?]*[\uE000-\uE005]/.test(url) || contains(url, 'unknown'))
    analysis.report('MEDIUM', 'Talks to an address that only shows when it runs')
  else
    analysis.report(
      'MEDIUM',
      kind === 'private' ? `Talks to another machine of the network: ${readable(host)}` : `Talks to ${readable(host)}`,
    )
}

/** GITHUB_TOKEN may go to github.com: the name of the variable has the name of the host in it. */
function belongsTo(analysis: ShellAnalysis, host: string): boolean {
  const owner = host.split('.').at(-2) ?? ''
  return (
    owner.length > 2 &&
    analysis.secretNames.size > 0 &&
    [...analysis.secretNames].every(name => name.toLowerCase().split('_').includes(owner))
  )
}

const wget: Rule = ({ args, stdin, analysis }) => {
  const urls = operands(args, [
    '-O',
    '-P',
    '-o',
    '-a',
    '-t',
    '-T',
    '-U',
    '--header',
    '--user',
    '--password',
    '--post-data',
    '--post-file',
    '--body-data',
    '--body-file',
    '-e',
    '-i',
    '-A',
    '-R',
    '-l',
    '-w',
  ])
  const files = optionValues(args, '', 'post-file', 'body-file')
  const sent = optionValues(args, '', 'post-data', 'body-data').concat(
    files.map(file =>
      isSecret(analysis.classify(file)) ? TAINT.secret : file === '-' ? (stdin ?? '') : contentOf(analysis, file),
    ),
  )
  const heads = optionValues(args, 'U', 'header', 'user-agent', 'password', 'user').join('\n')
  if (args.some(arg => arg.startsWith('--no-check'))) analysis.report('MEDIUM', 'Does not check whom it talks to')
  for (const command of optionValues(args, '', 'use-askpass')) analysis.runText(command)
  for (const url of urls) rateRequest(analysis, { url, sent: sent.join(''), heads, uploads: sent.length > 0 })
  const outputs = optionValues(args, 'O', 'output-document')
  const folder = optionValues(args, 'P', 'directory-prefix')[0]
  if (folder !== undefined) writeTo(analysis, folder)
  if (outputs.length > 0) return save(analysis, outputs, [])
  return save(
    analysis,
    [],
    urls.map(url => (folder === undefined ? nameOf(url) : `${folder}/${nameOf(url)}`)),
  )
}

const netcat: Rule = ({ name, args, stdin, analysis }) => {
  if (hasFlag(args, 'ec', 'exec', 'sh-exec') || /\b(EXEC|SYSTEM|exec|system):/.test(args.join(' '))) {
    analysis.report('HIGH', 'Lets another machine run commands here')
    return ''
  }
  const target = operands(args, ['-w', '-p', '-s', '-q', '-i'])[0] ?? ''
  const local = hostKindOf(hostOf(target)) === 'loopback'
  if (hasFlag(args, 'z')) {
    if (!local) analysis.report('MEDIUM', `Looks for open ports of ${readable(target)}`)
    return ''
  }
  if (local && !contains(stdin ?? '', 'secret')) return undefined
  analysis.report(
    'HIGH',
    hasFlag(args, 'l', 'listen')
      ? 'Waits for connections of other machines'
      : `Opens a raw connection (${name}), which can carry any data`,
  )
  return TAINT.network
}

const remoteCopy: Rule = ({ name, args, analysis }) => {
  for (const command of optionValues(args, name === 'rsync' ? 'e' : 'S', 'rsh', 'rsync-path')) analysis.runText(command)
  rateProxyCommand(analysis, args)
  const paths = operands(args, ['-e', '-P', '-i', '-o', '-F', '-S', '-l', '--exclude', '--include', '--rsh'])
  const remote = (path: string | undefined): boolean =>
    /^([^/:]+@)?[^/:]+:/.test(path ?? '') || /^(rsync|scp|sftp):\/\//.test(path ?? '')
  const target = paths.at(-1)
  if (remote(target) || name === 'sftp' || name === 'ftp')
    analysis.report('HIGH', `Sends files to another machine: ${clip(readable(target ?? ''))}`)
  else if (paths.some(remote)) analysis.report('MEDIUM', 'Gets files from another machine')
  if (target !== undefined && !remote(target)) writeTo(analysis, target)
  if (name === 'rsync' && hasFlag(args, '', 'delete', 'delete-after', 'delete-before', 'delete-excluded')) {
    const finding = target === undefined || remote(target) ? null : findingOfWrite(analysis.classify(target))
    analysis.report(finding || remote(target) ? 'HIGH' : 'MEDIUM', 'Deletes what the source does not have')
  }
  return ''
}

function rateProxyCommand(analysis: ShellAnalysis, args: readonly string[]): void {
  for (const option of optionValues(args, 'o')) {
    const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(option)?.[1]
    if (command !== undefined) analysis.runText(command)
    if (/StrictHostKeyChecking[= ]no|UserKnownHostsFile[= ]\/dev\/null/i.test(option))
      analysis.report('MEDIUM', 'Does not check whom it talks to')
  }
}

const ssh: Rule = ({ args, analysis }) => {
  rateProxyCommand(analysis, args)
  const host =
    operands(args, ['-i', '-p', '-o', '-l', '-F', '-L', '-R', '-D', '-J', '-W', '-b', '-c', '-E', '-m', '-S'])[0] ?? ''
  analysis.report('HIGH', `Works on another machine: ${clip(readable(host))}`)
  return TAINT.network
}

/** A name that is asked for can carry data away. */
const dns: Rule = ({ args, stdin, analysis }) => {
  const asked = args.join(' ') + (stdin ?? '')
  if (originsOf(asked) !== '') analysis.report('HIGH', 'Sends data inside a name or an address that it asks for')
  else analysis.report('MEDIUM', `Asks the network for ${clip(operands(args).at(-1) ?? '')}`)
  return undefined
}

const ping: Rule = call => {
  if (call.args.every(arg => /^-|^\d+$/.test(arg) || hostKindOf(hostOf(arg)) === 'loopback')) return ''
  return dns(call)
}

const tunnel = ({ analysis }: Call): string => {
  analysis.report('HIGH', 'Makes this machine reachable from outside')
  return ''
}

const mail: Rule = ({ analysis }) => {
  analysis.report('HIGH', 'Sends mail')
  return ''
}

export const NETWORK_PROGRAMS: Record<string, Rule> = {
  curl,
  http: curl,
  https: curl,
  xh: curl,
  wget,
  wget2: wget,
  ...Object.fromEntries(
    ['nc', 'ncat', 'netcat', 'nc.openbsd', 'nc.traditional', 'socat', 'telnet', 'cryptcat'].map(name => [name, netcat]),
  ),
  ...Object.fromEntries(
    ['scp', 'rsync', 'sftp', 'ftp', 'lftp', 'rclone', 'croc', 'magic-wormhole', 'wormhole', 'tftp'].map(name => [
      name,
      remoteCopy,
    ]),
  ),
  ssh,
  mosh: ssh,
  autossh: ssh,
  ...Object.fromEntries(
    ['dig', 'nslookup', 'host', 'drill', 'kdig', 'resolvectl', 'whois', 'traceroute', 'tracepath'].map(name => [
      name,
      dns,
    ]),
  ),
  ping,
  ping6: ping,
  ...Object.fromEntries(
    ['ngrok', 'cloudflared', 'localtunnel', 'lt', 'bore', 'chisel', 'frpc', 'tailscale'].map(name => [name, tunnel]),
  ),
  ...Object.fromEntries(['mail', 'mailx', 'sendmail', 'mutt', 'msmtp', 'swaks'].map(name => [name, mail])),
}
