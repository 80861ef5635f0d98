const MAX_BYTES = 4096
/** https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS: what HFS+ leaves out of names. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Why a path that a sandbox names is not written to a folder of this computer, on any file system; null for one that may be.
 * @param mode as git's trees have it
 */
export function refusalOf(path: string, mode: string): string | null {
  if (mode === '120000') return 'It is a symbolic link, which is not written to a folder of this computer.'
  if (mode === '160000') return 'It is a repository of its own.'
  if (mode !== '100644' && mode !== '100755') return 'It is no ordinary file.'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with them are refused
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path)) return 'Its name has characters that are not written.'
  if (path === '' || Buffer.byteLength(path) > MAX_BYTES) return 'Its name is too long.'
  const parts = path.split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) return 'Its path leads out of the folder.'
  if (/^[a-z]:/i.test(path)) return 'Its path leads out of the folder.'
  return parts.some(isGits) ? "It belongs to git's own files." : null
}

/** `.git` in the spellings of NTFS and HFS+ too. */
function isGits(part: string): boolean {
  const plain = part.replace(IGNORED_BY_HFS, '').toLowerCase().split(':')[0] ?? ''
  const name = plain.replace(/[. ]+$/, '')
  return name === '.git' || /^git~\d+$/.test(name)
}
