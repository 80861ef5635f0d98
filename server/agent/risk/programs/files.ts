import { clip } from '../finding.ts'
import { type ClassifiedPath, findingOfWrite, isSecret } from '../paths.ts'
import type { Call, Rule, ShellAnalysis } from '../shell/analysis.ts'
import { contentOf } from '../shell/content.ts'
import { hasTaint, readable } from '../taint.ts'
import { hasFlag, operands, optionValues } from './options.ts'

/** Folders that a build or an install makes again. */
const REGENERATED =
  /(^|\/)(node_modules|dist|build|out|target|coverage|htmlcov|__pycache__|\.(pytest_cache|mypy_cache|ruff_cache|next|nuxt|turbo|cache|parcel-cache|nyc_output|tox|venv|gradle|eggs)|venv|tmp|temp|logs?|[^/]+\.egg-info|bin|obj|cmake-build-\w+)(\/[^/]*)*$/

export function writeTo(analysis: ShellAnalysis, path: string): void {
  const finding = findingOfWrite(analysis.classify(path))
  if (finding) analysis.report(finding.risk, finding.reason)
}

export function deleteAt(analysis: ShellAnalysis, path: string, recursive: boolean): void {
  const place = analysis.classify(path)
  const shown = clip(readable(place.path || path))
  if (place.zone === 'unknown' || hasTaint(path.slice(0, 2))) {
    return analysis.report(recursive ? 'HIGH' : 'MEDIUM', 'Deletes what only shows when it runs')
  }
  if (place.zone === 'workspace') return deleteInWorkspace(analysis, { place, path, recursive, shown })
  if (place.zone === 'temporary') {
    if (recursive && /^\/?\*?$/.test(place.rest)) analysis.report('MEDIUM', 'Empties the temporary folder')
    return
  }
  if (recursive || /[*?[]/.test(path) || findingOfWrite(place)?.risk === 'HIGH') {
    return analysis.report('HIGH', `Deletes files outside the working directory: ${shown}`)
  }
  analysis.report('MEDIUM', `Deletes a file outside the working directory: ${shown}`)
}

function deleteInWorkspace(
  analysis: ShellAnalysis,
  { place, path, recursive, shown }: { place: ClassifiedPath; path: string; recursive: boolean; shown: string },
): void {
  const everything = place.rest === '' || /^[*?.[\]!{}]+$/.test(place.rest) || /(^|\/)\.git(\/|$)/.test(place.rest)
  if (everything) {
    const whole = recursive || /(^|\/)\.git(\/|$)/.test(place.rest)
    return analysis.report(whole ? 'HIGH' : 'MEDIUM', `Deletes everything in ${shown}`)
  }
  if (!recursive) return
  if (hasTaint(path) && !REGENERATED.test(place.rest))
    return analysis.report('MEDIUM', `Deletes folders that only show when it runs: ${shown}`)
  if (!REGENERATED.test(place.rest))
    analysis.report('MEDIUM', `Deletes with all that is in it: ${clip(readable(place.rest))}`)
}

const rm: Rule = ({ args, analysis }) => {
  const recursive = hasFlag(args, 'rR', 'recursive')
  if (args.some(arg => arg.startsWith('--no-p')))
    analysis.report('HIGH', 'Switches the protection of the root folder off')
  const targets = operands(args)
  for (const path of targets) deleteAt(analysis, path, recursive)
  return ''
}

const shred: Rule = ({ args, analysis }) => {
  analysis.report('HIGH', 'Destroys files so that they cannot be restored')
  for (const path of operands(args)) deleteAt(analysis, path, true)
  return ''
}

/** Programs whose operands are all written. */
const writesAll: Rule = ({ args, analysis }) => {
  for (const path of operands(args, ['-s', '-r', '-d', '-m', '-o', '-t'])) writeTo(analysis, path)
  return ''
}

const copy: Rule = ({ name, args, analysis }) => {
  const paths = operands(args, ['-t', '--target-directory', '-m', '-o', '-g', '-S'])
  const folder = optionValues(args, 't', 'target-directory')[0]
  const target = folder ?? paths.at(-1)
  const sources = folder === undefined ? paths.slice(0, -1) : paths
  if (target === undefined) return ''
  writeTo(analysis, target)
  const inFolder = /\/$|^\.{1,2}$/.test(target)
  for (const source of sources) {
    if (name === 'mv') moveAway(analysis, source)
    const written = contentOf(analysis, source)
    const end = inFolder ? `${target}/${source.slice(source.lastIndexOf('/') + 1)}` : target
    analysis.scope.written.set(analysis.classify(end).path, written)
  }
  if (name === 'ln') for (const source of sources) rateLink(analysis, source)
  return ''
}

function moveAway(analysis: ShellAnalysis, source: string): void {
  const finding = findingOfWrite(analysis.classify(source))
  if (finding) analysis.report(finding.risk, `Moves files away: ${clip(readable(source))}`)
  if (analysis.classify(source).rest === '') {
    analysis.report('HIGH', 'Moves a whole home or working directory away')
  }
}

/** Through a link, what looks like the working directory is somewhere else. */
function rateLink(analysis: ShellAnalysis, source: string): void {
  const place = analysis.classify(source)
  if (isSecret(place)) analysis.report('HIGH', `Links to secrets: ${readable(place.path)}`)
  else if (findingOfWrite(place)?.risk === 'HIGH')
    analysis.report('MEDIUM', `Links to files of the system: ${readable(place.path)}`)
}

const dd: Rule = ({ args, stdin, analysis }) => {
  const value = (key: string): string | undefined => args.find(arg => arg.startsWith(`${key}=`))?.slice(key.length + 1)
  const [from, to] = [value('if'), value('of')]
  if (to !== undefined) writeTo(analysis, to)
  if (to !== undefined && analysis.classify(to).zone === 'temporary') return ''
  analysis.report(
    to !== undefined && analysis.classify(to).zone !== 'workspace' ? 'HIGH' : 'MEDIUM',
    'Copies raw data over files or devices',
  )
  return to === undefined ? (from === undefined ? stdin : contentOf(analysis, from)) : ''
}

const chmod: Rule = ({ name, args, analysis }) => {
  const words = operands(args.filter(arg => !/^-[rwxst]+$/.test(arg)))
  const mode = name === 'chmod' ? (words[0] ?? args[0] ?? '') : ''
  const paths = words.slice(1)
  if (/[ugoa]*[+=][rwx]*s|^[4-7]\d{3}$|^0[4-7]\d{3}$/.test(mode))
    analysis.report('HIGH', 'Lets a program run with the rights of its owner')
  for (const path of paths) {
    const place = analysis.classify(path)
    const finding = findingOfWrite(place)
    if (!finding) continue
    const deep = hasFlag(args, 'R', 'recursive') || /777|a\+|o\+w|\+w/.test(mode) || finding.risk === 'HIGH'
    analysis.report(
      deep ? 'HIGH' : 'MEDIUM',
      `Changes the rights of files outside the working directory: ${readable(place.path)}`,
    )
  }
  return ''
}

const tee: Rule = ({ args, stdin, analysis }) => {
  for (const path of operands(args)) {
    writeTo(analysis, path)
    analysis.scope.written.set(analysis.classify(path).path, stdin ?? '')
  }
  return stdin
}

const archive: Rule = ({ name, args, analysis }) => {
  const command = args.join(' ')
  const runs =
    /--(checkpoint-action[= ]exec|to-command|use-compress-program|rsh-command|info-script|new-volume-script)|(^| )-[IF] ?|-TT/.exec(
      command,
    )
  if (name === 'tar' && runs) {
    const given =
      /--(?:checkpoint-action[= ]exec|to-command|use-compress-program|rsh-command|info-script|new-volume-script)[= ](.*)$/.exec(
        command,
      )?.[1]
    const known = /^(-I|--use-compress-program)[= ]?(zstd|pigz|xz|gzip|lz4|pbzip2)/.test(
      command.slice(runs.index).trim(),
    )
    if (!known) {
      analysis.report('HIGH', 'Runs a command for files of an archive')
      if (given) analysis.runText(given)
    }
  }
  if (name === 'zip' && /-TT|--unzip-command/.test(command))
    analysis.report('HIGH', 'Runs a command for files of an archive')
  if (/(^| )(-P|--absolute-names)( |$)/.test(command) && /x/.test(args[0] ?? ''))
    analysis.report('HIGH', 'Unpacks files to any place that the archive names')
  for (const folder of optionValues(args, name === 'unzip' ? 'd' : 'C', 'directory')) writeTo(analysis, folder)
  return undefined
}

const mount: Rule = ({ args, name, analysis }) => {
  if (operands(args).length > 0) analysis.report('HIGH', `Makes other file systems reachable (${name})`)
  return ''
}

const destroys =
  (reason: string): Rule =>
  ({ analysis }: Call) => {
    analysis.report('HIGH', reason)
    return ''
  }

export const FILE_PROGRAMS: Record<string, Rule> = {
  rm,
  unlink: rm,
  rmdir: ({ args, analysis }) => {
    for (const path of operands(args)) deleteAt(analysis, path, false)
    return ''
  },
  shred,
  srm: shred,
  wipe: shred,
  truncate: writesAll,
  touch: writesAll,
  mkdir: writesAll,
  cp: copy,
  mv: copy,
  ln: copy,
  install: copy,
  dd,
  chmod,
  chown: chmod,
  chgrp: chmod,
  setfacl: chmod,
  chattr: chmod,
  tee,
  sponge: tee,
  tar: archive,
  bsdtar: archive,
  zip: archive,
  unzip: archive,
  mount,
  umount: mount,
  losetup: mount,
  wipefs: destroys('Destroys a file system'),
  mkswap: destroys('Destroys a file system'),
  fdisk: destroys('Changes the partitions of a disk'),
  sfdisk: destroys('Changes the partitions of a disk'),
  parted: destroys('Changes the partitions of a disk'),
  blkdiscard: destroys('Destroys the data of a disk'),
  hdparm: destroys('Changes a disk'),
  cryptsetup: destroys('Changes an encrypted disk'),
  debugfs: destroys('Changes a file system directly'),
  ...Object.fromEntries(
    ['', '.ext2', '.ext3', '.ext4', '.xfs', '.btrfs', '.vfat', '.fat', '.ntfs'].map(end => [
      `mkfs${end}`,
      destroys('Destroys a file system'),
    ]),
  ),
}
