import { clip } from './finding.ts'
import { classifyPath, findingOfRead, findingOfWrite } from './paths.ts'
import type { ShellAnalysis } from './shell/analysis.ts'
import { readable } from './taint.ts'

/** Code of other languages is not parsed, but searched for what it could do, with its strings as the material. */
const RUNS_PROGRAMS =
  /\b(os\.(system|popen|exec\w*|spawn\w*)|subprocess|commands\.getoutput|pty\.spawn|child_process|execSync|spawnSync|exec[FS]\w+|Deno\.(run|Command)|Bun\.spawn|shell_exec|passthru|proc_open|popen|pcntl_exec|Kernel\.|IO\.popen|Open3|os\.execute|io\.popen|Runtime\.getRuntime|do shell script|system|spawn)\b|(?<![.\w])execl?[vpe]*\b(?=\s*[("'$])|`[^`]+`|%x\W/
const RUNS_TEXT =
  /(?<![.\w])((exec|eval)\b|(compile|execfile|load)\s*\()|\b(__import__|new Function|Function\s*\(|vm\.run\w+|instance_eval|loadstring|create_function|marshal\.loads|pickle\.loads?|globals\(\)|__builtins__|builtins)/
const DECODES =
  /b(64|32|16)decode|base64|fromhex|unhexlify|bytes\.fromhex|codecs\.|rot_?13|\bchr\s*\(|fromCharCode|\batob\b|['"]base64['"]|['"]hex['"]|pack\s*\(|decode_base64|\.decode\(|zlib|\\x[\da-f]{2}.*\\x[\da-f]{2}|\[::-1\]|\.reverse\(\)/i
const DELETES =
  /\b(rmtree|os\.(remove|unlink|rmdir|removedirs)|\.unlink\(|unlink\b|rmSync|rmdirSync|unlinkSync|fs\.(rm|rmdir|unlink)|rm_rf|remove_entry|FileUtils\.rm|remove_dir_all|rimraf|File\.delete|delete_file)/
const WRITES =
  /open\s*\([^)]*['"][wax]b?\+?['"]|write_text|write_bytes|writeFile|appendFile|createWriteStream|copyfile|shutil\.(copy|move)|os\.(rename|chmod|chown|symlink)|file_put_contents|File\.write|renameSync|copyFileSync|chmodSync|symlinkSync|>>?\s*['"]?\//
const CONNECTS =
  /\b(urllib|urlopen|requests\.|httpx|aiohttp|http\.client|smtplib|ftplib|paramiko|socket|telnetlib|fetch\s*\(|axios|https?\.(get|request)|net\.(connect|createConnection|Socket)|dgram|XMLHttpRequest|Net::HTTP|open-uri|LWP|IO::Socket|fsockopen|curl_init|file_get_contents\s*\(\s*['"]https?:|URI\.open|WebSocket|boto3)/
const READS =
  /os\.environ|process\.env|%ENV|ENV\[|getenv|\$_ENV|open\s*\(|read_text|readFile|File\.read|file_get_contents|slurp/
const DOWNLOADS_RUN =
  /(urlopen|requests\.get|fetch\s*\(|http\.get|https\.get|URI\.open|curl_init|file_get_contents\s*\(\s*['"]https?:)/
const LOCAL = /\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])\b/
const ADDRESS = /\bhttps?:\/\/([\w.-]+)/g

export function rateCode(analysis: ShellAnalysis, code: string): void {
  analysis.consumeBudget(1 + Math.floor(code.length / 100))
  const strings = stringsIn(code)
  ratePrograms(analysis, code, strings)
  ratePaths(analysis, code, strings)
  rateNetwork(analysis, code)
}

function ratePrograms(analysis: ShellAnalysis, code: string, strings: readonly string[]): void {
  const runsText = RUNS_TEXT.test(code)
  if (runsText && DECODES.test(code)) analysis.report('HIGH', 'Code runs text that is hidden by an encoding')
  else if (runsText && DOWNLOADS_RUN.test(code)) analysis.report('HIGH', 'Code runs text from the network')
  else if (runsText && /\b(exec|eval|compile)\s*\(\s*[a-zA-Z_]/.test(code))
    analysis.report('MEDIUM', 'Code runs text that only shows when it runs')
  if (!RUNS_PROGRAMS.test(code) && !runsText) return
  if (DECODES.test(code) && RUNS_PROGRAMS.test(code))
    analysis.report('HIGH', 'Code runs commands that are hidden by an encoding')
  analysis.report('MEDIUM', 'Code runs other programs')
  const whole = strings.join(' ')
  for (const text of [...strings, whole, strings.join('')]) {
    if (text.length < 4000 && /[a-z]/i.test(text)) analysis.onlyHighRisk(() => analysis.runText(text))
  }
}

function ratePaths(analysis: ShellAnalysis, code: string, strings: readonly string[]): void {
  const deletes = DELETES.test(code)
  const writes = WRITES.test(code)
  for (const text of strings) {
    if (!/^[~/.]|\.\.|^\w:\\/.test(text) || /\s/.test(text)) continue
    const place = classifyPath(text, { cwd: analysis.workingDir || '/', workingDir: analysis.workingDir })
    const read = findingOfRead(place)
    if (read) analysis.report(read.risk, read.reason)
    if (deletes && !['workspace', 'temporary'].includes(place.zone))
      analysis.report('HIGH', `Deletes files outside the working directory: ${clip(readable(place.path))}`)
    else if (deletes && place.zone === 'workspace' && place.rest === '')
      analysis.report('HIGH', 'Deletes everything in the working directory')
    const write = writes ? findingOfWrite(place) : null
    if (write) analysis.report(write.risk, write.reason)
  }
  if (!deletes) return
  if (/expanduser|homedir\(\)|Path\.home|environ\[?.?HOME|Dir\.home/.test(code))
    analysis.report('HIGH', "Deletes files of the user's home")
  else analysis.report('MEDIUM', 'Code deletes files')
}

function rateNetwork(analysis: ShellAnalysis, code: string): void {
  if (!CONNECTS.test(code)) return
  const hosts = [...code.matchAll(ADDRESS)].map(match => match[1] ?? '')
  if (LOCAL.test(code) && hosts.every(host => LOCAL.test(host))) return
  const sends = READS.test(code) && /environ|process\.env|getenv|ENV|\bopen\s*\(|read|File/.test(code)
  const shell = /socket/.test(code) && /dup2|subprocess|spawn|\/bin\/(ba)?sh|exec/.test(code)
  if (shell) return analysis.report('HIGH', 'Lets another machine run commands here')
  analysis.report(
    sends ? 'HIGH' : 'MEDIUM',
    sends ? 'Code can send files or variables over the network' : 'Code talks to the network',
  )
}

/** The strings of the code, with their escapes undone; bounded. */
function stringsIn(code: string): string[] {
  const found: string[] = []
  for (const match of code
    .slice(0, 20_000)
    .matchAll(
      /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|q[qwx]?[({]([^)}]*)[)}]|%x\(([^)]*)\)/g,
    )) {
    const text = match.slice(1).find(each => each !== undefined) ?? ''
    if (text !== '')
      found.push(
        text
          .replace(/\\x([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
          .replace(/\\(.)/g, '$1'),
      )
    if (found.length === 100) break
  }
  return found
}
