import { clip } from '../finding.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { readable } from '../taint.ts'
import { writeTo } from './files.ts'
import { hasFlag, operands, optionValues } from './options.ts'
import { runAsShell } from './shells.ts'

const always =
  (risk: 'MEDIUM' | 'HIGH', reason: string): Rule =>
  ({ analysis }) =>
    void analysis.report(risk, reason)

const su: Rule = ({ args, stdin, analysis }) => {
  analysis.report('HIGH', 'Runs with the rights of an administrator or of somebody else')
  const texts = optionValues(args, 'c', 'command', 'session-command')
  if (texts.length > 0) return runAsShell(analysis, texts.join(' '), stdin)
  const inner = args.slice(args.indexOf('--') + 1)
  return args.includes('--') ? analysis.runArgv(inner, stdin) : runAsShell(analysis, stdin ?? '')
}

const crontab: Rule = ({ args, analysis }) => {
  if (args.length === 1 && args[0] === '-l') return undefined
  analysis.report('HIGH', 'Sets up something that runs by itself later')
  return ''
}

const kill: Rule = ({ args, analysis }) => {
  const targets = args.filter(arg => !/^-([A-Z]+\d*|\d{1,2}|s|n|l|L)$/.test(arg) || arg === '-1')
  const all =
    targets.includes('1') ||
    (targets.includes('-1') &&
      (targets.length === 1 || targets.indexOf('-1') > 0 || args.filter(arg => arg === '-1').length > 1)) ||
    (args.length > 1 && args.at(-1) === '-1')
  if (all) analysis.report('HIGH', 'Ends all processes')
  else if (args.length > 0 && !args.includes('-l') && !targets.every(target => /^%\d*$|^\$?!$/.test(target)))
    analysis.report('MEDIUM', 'Ends processes')
  return ''
}

const pkill: Rule = ({ args, analysis }) => {
  const everything = operands(args).some(arg => /^\.?\*?$|^\.$/.test(arg)) || hasFlag(args, 'u')
  analysis.report(everything ? 'HIGH' : 'MEDIUM', everything ? 'Ends all processes' : 'Ends processes by their name')
  return ''
}

const systemctl: Rule = ({ args, analysis }) => {
  const command = operands(args)[0] ?? ''
  if (/^(status|is-active|is-enabled|is-failed|list-\S+|show|cat|help|)$/.test(command)) return undefined
  const later =
    /^(enable|link|edit|preset|reenable|mask|set-default|daemon-reexec|set-environment|poweroff|reboot|halt|isolate|rescue|emergency)$/.test(
      command,
    )
  analysis.report(
    later ? 'HIGH' : 'MEDIUM',
    later ? 'Changes what the system starts by itself' : 'Starts or stops services',
  )
  return undefined
}

const init: Rule = ({ args, analysis }) => {
  if (/^[06]$/.test(args[0] ?? '')) analysis.report('HIGH', 'Turns the machine off')
  return ''
}

const sysctl: Rule = ({ args, analysis }) => {
  if (hasFlag(args, 'wp', 'write', 'load', 'system') || args.some(arg => arg.includes('=')))
    analysis.report('HIGH', 'Changes the running system')
  return undefined
}

const firewall: Rule = ({ args, analysis }) => {
  const lists = hasFlag(args, 'LS', 'list', 'list-rules') && !hasFlag(args, 'F')
  if (!lists && args.length > 0 && !/^(status|list)$/.test(args[0] ?? ''))
    analysis.report('HIGH', "Changes the machine's protection against the network")
  return undefined
}

const READS_CONTAINERS = /^(ps|images|logs|version|info|inspect|stats|top|port|diff|history|search|events)$/

const docker: Rule = ({ name, args, analysis }) => {
  const words = operands(args, [
    '-H',
    '--host',
    '-c',
    '--context',
    '-f',
    '--file',
    '-p',
    '--project-name',
    '--config',
    '-l',
  ])
  const [first = '', second = ''] = words
  const grouped = /^(container|image|volume|network|compose|system|builder|buildx)$/.test(first)
  const command = grouped ? second : first
  if (/^--?(version|help|v|h)$/.test(args[0] ?? '')) return undefined
  if (READS_CONTAINERS.test(command) || (grouped && /^(ls|df|config)$/.test(command)) || command === '') {
    analysis.report('MEDIUM', 'Looks at containers of this machine')
    return undefined
  }
  analysis.report('HIGH', `Controls containers, which can reach the whole machine (${name} ${clip(readable(command))})`)
  return undefined
}

/** Tools of clouds and clusters: what only reads, by its words. The rest changes real systems. */
const CLOUD_READS =
  /^(get|describe|list|ls|show|version|plan|validate|status|logs|top|explain|fmt|lint|template|help|whoami|info|search|diff|config|api-resources|cluster-info|output|graph|providers|state|test|console|history|env|init|ps|sts|get-caller-identity|current|view|auth-status)$|^(describe|list|get|show)-/

const cloud: Rule = ({ name, args, analysis }) => {
  const words = operands(args, [
    '-n',
    '--namespace',
    '--context',
    '--profile',
    '--region',
    '--project',
    '-C',
    '-chdir',
    '--kubeconfig',
    '-o',
    '-f',
    '-l',
  ])
  if (words.length === 0 || args.some(arg => /^--?(version|help)$/.test(arg))) return undefined
  const secret = words.some(word =>
    /^(secrets?|get-secret-value|get-login-password|print-access-token|token|tokens|decrypt)$/.test(word),
  )
  const deciding = name === 'aws' || name === 'gcloud' || name === 'az' ? words.slice(1, 5) : words.slice(0, 1)
  const changes =
    /^(rm|mb|rb|cp|mv|sync|delete|create|apply|destroy|exec|run|deploy|scale|ssh|edit|patch|drain|rollout|import|push|set|remove|up|down|start|stop|install|uninstall|upgrade|rollback|label|annotate|replace|cordon|taint|port-forward|proxy|login)/
  if (secret) analysis.report('HIGH', `Shows secrets of a remote system (${name})`)
  else if (deciding.some(word => CLOUD_READS.test(word)) && !deciding.some(word => changes.test(word)))
    analysis.report('MEDIUM', `Asks a remote system (${name})`)
  else analysis.report('HIGH', `Changes a remote system: ${clip(readable([name, ...words.slice(0, 3)].join(' ')))}`)
  return undefined
}

const gh: Rule = ({ name, args, analysis }) => {
  const [group = '', command = ''] = operands(args, ['-R', '--repo'])
  const writes = optionValues(args, 'X', 'method').some(method => !/^GET$/i.test(method))
  if (group === 'auth' && /^(token|status)$/.test(command) && (command === 'token' || hasFlag(args, 't', 'show-token')))
    analysis.report('HIGH', 'Shows a secret token')
  else if (
    /^(delete|merge|archive|transfer|rename|lock)$/.test(command) ||
    (/^(secret|ssh-key|gpg-key|release|gist|variable|ruleset|deploy-key|codespace|extension)$/.test(group) &&
      !/^(list|view|download|status|ls)$/.test(command))
  )
    analysis.report(
      'HIGH',
      `Changes something for others on ${name === 'gh' ? 'GitHub' : 'GitLab'}: ${clip(readable(`${group} ${command}`))}`,
    )
  else if (group === 'api' && (writes || args.some(arg => /^(-f|-F|--field|--raw-field|--input)/.test(arg))))
    analysis.report('HIGH', 'Changes something through the API of the provider')
  else if (group !== '' && group !== 'help' && group !== 'version')
    analysis.report('MEDIUM', `Talks to ${name === 'gh' ? 'GitHub' : 'GitLab'}`)
  return undefined
}

const openssl: Rule = ({ args, analysis }) => {
  if (args[0] === 's_client' || args[0] === 's_server')
    analysis.report('HIGH', 'Opens a raw connection, which can carry any data')
  const decodes = args.includes('-d') && /^(enc|base64|aes|des|bf)/.test(args[0] ?? '')
  for (const path of optionValues(args, '', 'out').concat(
    args.flatMap((arg, at) => (arg === '-out' ? [args[at + 1] ?? ''] : [])),
  ))
    writeTo(analysis, path)
  return decodes ? '\uE005' : undefined
}

const gpg: Rule = ({ args, analysis }) => {
  if (args.some(arg => /^--(export-secret|delete|armor.*secret)/.test(arg)))
    analysis.report('HIGH', 'Shows or deletes secret keys')
  return undefined
}

const keys: Rule = ({ args, analysis }) => {
  for (const path of optionValues(args, 'f')) writeTo(analysis, path)
  return undefined
}

const session: Rule = ({ args, analysis }) => {
  const at = args.findIndex(arg =>
    /^(new|new-session|neww|new-window|splitw|split-window|send-keys|send|stuff|run-shell|respawn-pane|-X)$/.test(arg),
  )
  for (const word of at < 0
    ? []
    : operands(args.slice(at + 1), ['-s', '-t', '-n', '-c', '-x', '-y', '-F']).filter(
        word => !/^(Enter|C-m|ENTER|stuff|exec|\^M)$/.test(word),
      ))
    analysis.runText(word)
  const inner = args.findIndex(arg => /^-[dmS]+$/.test(arg))
  if (at < 0 && inner >= 0) analysis.runArgv(operands(args.slice(inner), ['-S', '-L', '-c', '-dmS']))
  return undefined
}

const scriptRule: Rule = ({ args, analysis }) => {
  for (const text of optionValues(args, 'c', 'command')) runAsShell(analysis, text)
  for (const file of operands(args, ['-c', '--command', '-E', '-T', '-I', '-O'])) writeTo(analysis, file)
  return undefined
}

const make: Rule = ({ args, stdin, analysis }: Call) => {
  for (const text of optionValues(args, '', 'eval'))
    analysis.report('MEDIUM', `Runs a rule from the command line: ${clip(readable(text))}`)
  for (const text of optionValues(args, '', 'eval'))
    for (const [, inner = ''] of text.matchAll(/\$\(shell\s+([^)]*)\)|:\s*;?\s*([^\n]+)/g)) analysis.runText(inner)
  if (args.some(arg => /^SHELL=/.test(arg))) analysis.report('MEDIUM', 'Lets another program run the rules')
  const file = optionValues(args, 'f', 'file', 'makefile')[0]
  const text =
    file === '-' || file === '/dev/stdin'
      ? stdin
      : file === undefined
        ? undefined
        : analysis.scope.written.get(analysis.classify(file).path)
  if (text !== undefined) runRecipes(analysis, text)
  return undefined
}

function runRecipes(analysis: ShellAnalysis, text: string): void {
  for (const [, recipe = ''] of text.matchAll(/^[^\t\n:#]*:[^;\n]*;(.*)$|^\t[@-]*(.*)$/gm))
    if (recipe) runAsShell(analysis, recipe)
  for (const line of text.split('\n')) if (/^\t/.test(line)) runAsShell(analysis, line.replace(/^\t[@-]*/, ''))
}

const history: Rule = ({ args, analysis }) => {
  if (hasFlag(args, 'cd')) analysis.report('MEDIUM', 'Keeps commands out of the shell history')
  return undefined
}

const list = (names: string, rule: Rule): Record<string, Rule> =>
  Object.fromEntries(names.split(' ').map(name => [name, rule]))

export const SYSTEM_PROGRAMS: Record<string, Rule> = {
  ...list('su runuser sg', su),
  crontab,
  ...list('at batch anacron', always('HIGH', 'Sets up something that runs by itself later')),
  kill,
  ...list('pkill killall killall5', pkill),
  ...list('systemctl service rc-service', systemctl),
  ...list('chkconfig update-rc.d rc-update launchctl', always('HIGH', 'Changes what the system starts by itself')),
  ...list('shutdown reboot halt poweroff', always('HIGH', 'Turns the machine off')),
  ...list('init telinit', init),
  sysctl,
  ...list('iptables ip6tables nft ufw firewall-cmd ebtables', firewall),
  ...list(
    'setenforce apparmor_parser aa-disable aa-complain auditctl',
    always('HIGH', 'Switches a protection of the system off'),
  ),
  ...list('insmod modprobe rmmod kexec kmod', always('HIGH', 'Changes the kernel')),
  ...list('setcap', always('HIGH', 'Lets a program run with the rights of its owner')),
  ...list(
    'passwd chpasswd useradd adduser userdel usermod groupadd groupmod visudo vipw vigr chsh newusers deluser gpasswd',
    always('HIGH', 'Changes the users of the system'),
  ),
  ...list(
    'docker podman nerdctl ctr crictl docker-compose podman-compose buildah lxc lxd runc kind minikube virsh vagrant',
    docker,
  ),
  ...list(
    'kubectl helm oc terraform tofu terragrunt pulumi aws gcloud gsutil bq az heroku flyctl fly vercel netlify wrangler firebase eksctl ansible ansible-playbook doctl serverless sls cdk sam railway supabase s3cmd mc linode-cli hcloud',
    cloud,
  ),
  ...list('gh glab', gh),
  openssl,
  ...list('gpg gpg2', gpg),
  ...list('ssh-keygen', keys),
  ...list('security secret-tool pass keyring op bw vault lpass', always('HIGH', 'Reads stored passwords')),
  ...list('ssh-copy-id', always('HIGH', 'Lets somebody in')),
  ...list('ssh-add', always('MEDIUM', 'Makes keys usable')),
  ...list('tmux screen byobu zellij', session),
  script: scriptRule,
  ...list('make gmake', make),
  history,
  ...list('tcpdump tshark wireshark nmap masscan', always('HIGH', 'Listens to or searches the network')),
  ...list('hydra john hashcat sqlmap nikto msfconsole msfvenom aircrack-ng', always('HIGH', 'Is a tool for attacks')),
  ...list('xmrig minerd cpuminer', always('HIGH', 'Uses the machine to mine money')),
}
