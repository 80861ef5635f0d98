import { createHash, randomBytes } from 'node:crypto'
import type { TrashItem } from '../../api/v1/sandbox/files.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { absolutePath, assertMovable, failed, nothingAt, takenBy } from './paths.ts'
import { expiredItems, parseTrash, parseTrashList } from './trash-rules.ts'

const NOTHING = 2
const TAKEN = 17
/** What is in the trash is not known to the last byte: a folder of millions of files is not counted to its end. */
const MEASURE_MS = 10_000

/** Where the deletions of a conversation are, as a word of a script: outside of every repository, like checkpoints. */
function trashFolder(conversation: ConversationId): string {
  const name = createHash('sha256').update(conversation).digest('hex').slice(0, 16)
  return `"\${HOME:-/tmp}"/.local/share/atelier/trash/${name}`
}

/**
 * $1 path, $2 id. Beside what was deleted lies where it was; a line end at the end of that needs a character after it. A link is
 * moved as a link. From another file system mv copies, then removes: where that ends half-way, as at a mount, what it removed is
 * put back, and the copy is kept.
 */
const DELETE = (folder: string) => `
if ! [ -e "$1" ] && ! [ -L "$1" ]; then exit ${NOTHING}; fi
item=${folder}/$2
(umask 077 && mkdir -p -- "$item") && printf '%s.' "$1" >"$item/path" || exit
mv -- "$1" "$item/content" && exit
status=$?
if [ -d "$1" ] && [ -d "$item/content" ]; then cp -pR -- "$item/content/." "$1/" 2>/dev/null; fi
if ! [ -e "$item/content" ] && ! [ -L "$item/content" ]; then rm -rf -- "$item"; fi
exit $status`

/** $1 id of what was deleted just now. Prints all ids with their sizes. */
const MEASURE = (folder: string) => `
cd -- ${folder} 2>/dev/null || exit 0
set -- "$1" $(du -sk -- "$1" 2>/dev/null)
echo "\${2:-0}" >"$1/size"
for item in *-*; do
  [ -d "$item" ] || continue
  read -r size 2>/dev/null <"$item/size" || size=0
  echo "$item $size"
done`

/** $1 id. Prints the path. */
const RESTORE = (folder: string) => `
item=${folder}/$1
if ! [ -f "$item/path" ]; then exit ${NOTHING}; fi
if ! [ -e "$item/content" ] && ! [ -L "$item/content" ]; then exit ${NOTHING}; fi
path=$(cat -- "$item/path"); path=\${path%.}
if [ -e "$path" ] || [ -L "$path" ]; then printf %s "$path"; exit ${TAKEN}; fi
mkdir -p -- "\${path%/*}/" && mv -- "$item/content" "$path" || exit
rm -rf -- "$item"
printf %s "$path"`

/** Of each deletion its id, kind, KiB and path, with a zero byte at the end. */
const LIST = (folder: string) => `
cd -- ${folder} 2>/dev/null || exit 0
for item in *-*; do
  [ -f "$item/path" ] || continue
  if [ -L "$item/content" ]; then kind=link
  elif [ -d "$item/content" ]; then kind=directory
  elif [ -f "$item/content" ]; then kind=file
  elif [ -e "$item/content" ]; then kind=other
  else continue; fi
  read -r size 2>/dev/null <"$item/size" || size=-
  printf '%s %s %s ' "$item" "$kind" "$size"
  cat -- "$item/path"
  printf '\\0'
done`

const EMPTY = (folder: string) => `rm -rf -- ${folder}`

const script = (text: string, ...args: string[]) => ['/bin/sh', '-c', text, 'sh', ...args]

/**
 * Moves a file, a folder or a link out of the way, from where `restoreEntry` puts it back, and removes what was deleted long ago.
 * @returns the id of the deletion @throws AppError file_not_found, bad_request
 */
export async function deleteEntry(
  sandbox: SandboxHandle,
  { conversation, path }: { conversation: ConversationId; path: string },
  signal: AbortSignal,
): Promise<{ trash_id: string }> {
  const target = absolutePath(sandbox, path)
  assertMovable(sandbox, target)
  const folder = trashFolder(conversation)
  const id = `${Date.now()}-${randomBytes(6).toString('hex')}`
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const { exitCode, stderr } = await sandbox.exec({
    argv: script(DELETE(folder), target, id),
    cwd: '/',
    limitMs,
    signal,
  })
  if (exitCode === NOTHING) throw nothingAt(target)
  if (exitCode !== 0) throw failed(`${target} could not be deleted`, stderr)
  await tidy(sandbox, folder, id)
  return { trash_id: id }
}

/** Never rejects: what was deleted is deleted. */
async function tidy(sandbox: SandboxHandle, folder: string, newest: string): Promise<void> {
  try {
    const measured = await sandbox.exec({ argv: script(MEASURE(folder), newest), cwd: '/', timeoutMs: MEASURE_MS })
    const expired = expiredItems(parseTrash(measured.stdout), Date.now())
    if (expired.length === 0) return
    const remove = `cd -- ${folder} && rm -rf -- "$@"`
    await sandbox.exec({ argv: script(remove, ...expired), cwd: '/', limitMs: BOUNDS.sandboxLongCommand.limit })
  } catch {
    // The next deletion removes it.
  }
}

/** The last one first. @throws AppError command_failed */
export async function listTrash(
  sandbox: SandboxHandle,
  conversation: ConversationId,
  signal: AbortSignal,
): Promise<TrashItem[]> {
  const argv = script(LIST(trashFolder(conversation)))
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', timeoutMs: MEASURE_MS, signal })
  if (exitCode !== 0) throw failed('The trash could not be read', stderr, 'command_failed')
  return parseTrashList(stdout).slice(0, BOUNDS.trashItems.limit)
}

/** @throws AppError command_failed */
export async function emptyTrash(
  sandbox: SandboxHandle,
  conversation: ConversationId,
  signal: AbortSignal,
): Promise<void> {
  const argv = script(EMPTY(trashFolder(conversation)))
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/', limitMs, signal })
  if (exitCode !== 0) throw failed('The trash could not be emptied', stderr, 'command_failed')
}

/** @throws AppError file_not_found, conflict, bad_request */
export async function restoreEntry(
  sandbox: SandboxHandle,
  { conversation, trashId }: { conversation: ConversationId; trashId: string },
  signal: AbortSignal,
): Promise<{ path: string }> {
  const argv = script(RESTORE(trashFolder(conversation)), trashId)
  const limitMs = BOUNDS.sandboxLongCommand.limit
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv, cwd: '/', limitMs, signal })
  if (exitCode === NOTHING)
    throw new AppError(
      'file_not_found',
      'This is not in the trash any more. Look for it in a checkpoint of the conversation.',
    )
  if (exitCode === TAKEN) throw takenBy(stdout)
  if (exitCode !== 0) throw failed('It could not be restored', stderr, 'command_failed')
  return { path: stdout }
}
