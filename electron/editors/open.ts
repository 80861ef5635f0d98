import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { net } from 'electron'
import { getFilePlace } from '../../server/api/v1/sandbox/files.ts'
import type { Connection, Editor, EditorRequest } from '../ipc.ts'
import { t } from '../text.ts'
import { argumentsFor, type FilePlace, KNOWN_EDITORS, type KnownEditor, placesOf } from './known.ts'

/** The editors that are installed. */
export async function findEditors(): Promise<Editor[]> {
  const found = await Promise.all(KNOWN_EDITORS.map(async editor => ((await programOf(editor)) ? [editor] : [])))
  return found.flat().map(({ id, name, family }) => ({ id, name, opensContainers: family === 'vscode' }))
}

/** Opens what the service says of the conversation: a page names an editor and a file, never a program. @throws Error in words */
export async function openInEditor(
  connection: Connection,
  { editor: id, conversation, path }: EditorRequest,
): Promise<void> {
  const editor = KNOWN_EDITORS.find(known => known.id === id)
  const program = editor && (await programOf(editor))
  if (!editor || !program) throw new Error(t('editorGone'))
  const args = argumentsFor(editor, await askPlace(connection, conversation, path))
  if (!args) throw new Error(t('editorNeedsFolder', { editor: editor.name }))
  await start(program, args)
}

async function programOf(editor: KnownEditor): Promise<string | undefined> {
  const { platform, env } = process
  for (const place of placesOf(editor, { platform, env, home: homedir() })) {
    if (await isProgram(place)) return place
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** Of the service that this app embeds, at its address on this machine. */
async function askPlace({ url, key }: Connection, conversation: string, path: string): Promise<FilePlace> {
  const at = getFilePlace.path.replace('{conversation_id}', encodeURIComponent(conversation))
  const response = await net.fetch(`${url}${at}?${new URLSearchParams({ path })}`, {
    headers: { 'X-Session-API-Key': key },
  })
  const reply: unknown = await response.json()
  if (response.ok) return getFilePlace.reply.parse(reply)
  const detail = typeof reply === 'object' && reply !== null && 'detail' in reply ? reply.detail : null
  throw new Error(typeof detail === 'string' ? detail : t('editorGone'))
}

/** It outlives the app, and what it prints is nobody's. */
function start(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
