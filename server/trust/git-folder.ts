import type { RepositoryFile } from '../api/v1/conversation/repository-trust.ts'
import { sha256 } from './content.ts'
import { repositoryAt } from './identity.ts'
import { kindsOf, type RepositoryLocation, readRepositoryFile } from './read-files.ts'
import { COMMIT_HOOK } from './script-text.ts'

export const GIT_CONFIG = '.git/config'
/** Both are read by git beside its configuration. */
const OTHER_CONFIG_FILES = ['.git/config.worktree', '.git/info/attributes']

/**
 * What of git's own folder makes a command of git run programs or fetch from elsewhere. A clone brings none of it along,
 * but an agent can write it. Empty for a folder as git makes it.
 */
export async function gitFolderFiles(
  repository: string,
  place: RepositoryLocation,
): Promise<{ files: RepositoryFile[]; problem: string | null }> {
  const paths = [GIT_CONFIG, ...OTHER_CONFIG_FILES]
  const [[folder, ...kinds], hooks] = await Promise.all([kindsOf(['.git', ...paths], place), hooksOf(place)])
  if (folder === 'none') return { files: [], problem: null }
  // That of a worktree names where the real folder lies.
  if (folder !== 'folder') return { files: [], problem: '.git is no folder of this repository.' }
  const present = [...paths.filter((_, at) => kinds[at] !== 'none'), ...hooks]
  const read = await Promise.all(present.map(path => readRepositoryFile(path, place)))
  const unread = present.filter((_, at) => read[at] === null || kinds[paths.indexOf(present[at] ?? '')] === 'link')
  if (unread.length > 0) return { files: [], problem: `${unread.join(', ')} cannot be read, or is a link.` }
  const files = read.flatMap(file => {
    if (file === null || file.sha256 === OUR_HOOK) return []
    return file.path === GIT_CONFIG && file.text !== null ? relevantConfig(file.text, repository) : [file]
  })
  return { files, problem: null }
}

/** It compares by itself what it runs. */
const OUR_HOOK = sha256(COMMIT_HOOK)

/** Hooks that git would run, links too. */
async function hooksOf({ sandbox, folder, signal }: RepositoryLocation): Promise<string[]> {
  const { stdout } = await sandbox.exec({
    argv: ['/bin/sh', '-c', HOOKS],
    cwd: folder,
    timeoutMs: 20_000,
    signal,
  })
  return stdout.split('\n').filter(path => path !== '')
}

const HOOKS = `for path in .git/hooks/*; do
  [ -f "$path" ] && [ -x "$path" ] || continue
  case $path in *.sample) continue ;; esac
  printf '%s\\n' "$path"
done`

function relevantConfig(config: string, repository: string): RepositoryFile[] {
  const text = relevantLines(config, repository)
  return text === '' ? [] : [{ path: GIT_CONFIG, sha256: sha256(text), size_bytes: Buffer.byteLength(text), text }]
}

/** By section, as `key=value`. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|precomposeunicode)=/,
  branch: /^(remote=origin|merge=refs\/heads\/[\w./-]+|rebase=\w+)$/,
  user: /^(name|email)=/,
  remote: /^fetch=/,
}
const MAX_LINE = 500

/** The lines of a configuration that could make git run something, or fetch from elsewhere than from this repository. */
export function relevantLines(config: string, repository: string): string {
  let section = ''
  let heading: string | null = null
  const kept: string[] = []
  for (const line of config.split('\n')) {
    const header = line.length <= MAX_LINE && /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"[^"\\]*")?\s*\]\s*$/.exec(line)
    if (header) {
      section = (header[1] ?? '').toLowerCase()
      heading = line
      continue
    }
    if (line.trim() === '' || isHarmless(line, section, repository)) continue
    if (heading !== null) kept.push(heading.trim())
    heading = null
    kept.push(line)
  }
  return kept.join('\n')
}

/** Only one plain key and value: a value that goes on in the next line, a comment or a quote is not looked into. */
function isHarmless(line: string, section: string, repository: string): boolean {
  const [, key = '', value = ''] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=([^"\\#;]*)$/.exec(line) ?? []
  if (key === '' || line.length > MAX_LINE) return false
  const name = key.toLowerCase()
  if (section === 'remote' && name === 'url') return isAddressOf(value.trim(), repository)
  return HARMLESS[section]?.test(`${name}=${value.trim()}`) ?? false
}

function isAddressOf(url: string, repository: string): boolean {
  const isRemote = /^(https?|ssh|git):\/\//i.test(url) || (!url.includes('://') && !url.includes('::'))
  try {
    return isRemote && repositoryAt(url) === repository
  } catch {
    return false
  }
}
