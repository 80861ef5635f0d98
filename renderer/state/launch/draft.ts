import { preferenceKey, usePreference } from '../settings/preference.ts'
import {
  type ComposerAttachments,
  losesSomeAttached,
  NO_ATTACHMENTS,
  useComposerAttachments,
} from './composer-attachments.ts'
import { type LaunchDraft, onFolder, parseDraft } from './launch.ts'
import { losesSome, replacedByTask, withLinkText } from './replaced-draft.ts'

const NAME = 'launch-draft'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  const [stored, store] = usePreference(NAME, '', sessionStorage)
  const setDraft = (draft: LaunchDraft) => store(JSON.stringify(draft))
  return [parseDraft(stored), setDraft] as const
}

/** What goes with the message of a new conversation. It ends with the window, as the text does. */
export function useLaunchAttachments() {
  return useComposerAttachments('launcher', sessionStorage)
}

/** Puts a task into the launcher. What it takes the place of can be brought back, with what is attached. */
export function useTaskIntoLauncher() {
  const [draft, setDraft] = useLaunchDraft()
  const { attached, replace } = useLaunchAttachments()
  return (task: LaunchDraft, by: ComposerAttachments = NO_ATTACHMENTS) => {
    const keeps = losesSome(draft, task) || losesSomeAttached(attached, by)
    setDraft(replacedByTask(draft, task, keeps))
    replace(by, keeps)
  }
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
