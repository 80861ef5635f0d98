import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { getFilePlace } from '../../server/api/v1/sandbox/files.ts'
import { createClient } from '../../server/client/client.ts'
import type { Connection, Editor, EditorRequest } from '../ipc.ts'
import { t } from '../text.ts'
import { argumentsFor, foundPlaces, KNOWN_EDITORS, type KnownEditor, placesOf } from './known.ts'

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
  const asked = { params: { conversation_id: conversation }, query: { path } }
  const args = argumentsFor(editor, await createClient(connection).call(getFilePlace, asked))
  if (!args) throw new Error(t('editorNeedsFolder', { editor: editor.name }))
  await start(program, args)
}

async function programOf(editor: KnownEditor): Promise<string | undefined> {
  const { platform, env } = process
  for (const pattern of placesOf(editor, { platform, env, home: homedir() })) {
    for (const place of await foundPlaces(pattern, platform, folder => readdir(folder).catch(() => []))) {
      if (await isProgram(place)) return place
    }
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
