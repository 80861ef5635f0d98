import { preferenceKey, usePreference } from '../settings/preference.ts'
import { type LaunchDraft, onFolder, parseDraft } from './launch.ts'

const NAME = 'launch-draft'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  const [stored, store] = usePreference(NAME, '', sessionStorage)
  const setDraft = (draft: LaunchDraft) => store(JSON.stringify(draft))
  return [parseDraft(stored), setDraft] as const
}

/** Where another page comes before the launcher, which finds the folder in its draft then. */
export function keepFolderForLater(folder: string): void {
  const key = preferenceKey(NAME)
  sessionStorage.setItem(key, JSON.stringify(onFolder(parseDraft(sessionStorage.getItem(key) ?? ''), folder)))
}
