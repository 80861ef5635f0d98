import { z } from 'zod'
import { usePreference } from '../settings/preference.ts'

const MAX_FOLDERS = 10

/** Folders that conversations were started with in this window or an earlier one, the last first. */
export function useRecentFolders() {
  const [stored, store] = usePreference('recent-folders', '[]')
  const folders = parseFolders(stored)
  const add = (folder: string) =>
    store(JSON.stringify([folder, ...folders.filter(each => each !== folder)].slice(0, MAX_FOLDERS)))
  return { folders, add }
}

function parseFolders(text: string): string[] {
  try {
    return z.array(z.string()).catch([]).parse(JSON.parse(text))
  } catch {
    return []
  }
}
