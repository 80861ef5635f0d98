import { preferenceKey, usePreference } from '../settings/preference.ts'
import { type LaunchDraft, onFolder, parseDraft } from './launch.ts'
import { withLinkText } from './replaced-text.ts'

const NAME = 'launch-draft'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  const [stored, store] = usePreference(NAME, '', sessionStorage)
  const setDraft = (draft: LaunchDraft) => store(JSON.stringify(draft))
  return [parseDraft(stored), setDraft] as const
}

/** What the app was asked to begin with. */
export interface Opened {
  folder?: string | undefined
  /** A task that a link filled in. */
  text?: string | undefined
}

export function withOpened(draft: LaunchDraft, { folder, text }: Opened): LaunchDraft {
  const onIt = folder ? onFolder(draft, folder) : draft
  return text ? withLinkText(onIt, text) : onIt
}

/** Where another page comes before the launcher, which finds it in its draft then. */
export function keepForLater(opened: Opened): void {
  const key = preferenceKey(NAME)
  sessionStorage.setItem(key, JSON.stringify(withOpened(parseDraft(sessionStorage.getItem(key) ?? ''), opened)))
}
