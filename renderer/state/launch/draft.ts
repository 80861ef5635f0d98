import { useSyncExternalStore } from 'react'
import { preferenceKey } from '../settings/preference.ts'
import type { Refusal } from './attached-files.ts'
import {
  type ComposerAttachments,
  losesSomeAttached,
  NO_ATTACHMENTS,
  useComposerAttachments,
} from './composer-attachments.ts'
import { type LaunchDraft, onFolder, parseDraft } from './launch.ts'
import {
  afterStart,
  isSameTask,
  losesSome,
  placeOf,
  replacedByTask,
  withLinkText,
  withoutPlace,
} from './replaced-draft.ts'

const KEY = preferenceKey('launch-draft')
/** Of this window: every page that shows the draft sees what another part wrote, also one that has been left. */
const CHANGED = 'atelier-launch-draft'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  return [parseDraft(useSyncExternalStore(onDraftChange, storedDraft)), setDraft] as const
}

/** The draft at the moment of the call, which after a wait is not the one that a page has drawn. */
export const currentDraft = () => parseDraft(storedDraft())

const storedDraft = () => sessionStorage.getItem(KEY) ?? ''

function onDraftChange(listener: () => void) {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}

function setDraft(draft: LaunchDraft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft))
  window.dispatchEvent(new Event(CHANGED))
}

/** What goes with the message of a new conversation. It ends with the window, as the text does. */
export function useLaunchAttachments() {
  return useComposerAttachments('launcher', sessionStorage)
}

export interface SentTask {
  readonly draft: LaunchDraft
  readonly attached: ComposerAttachments
}

/** Takes a task that has been started out of the launcher, wherever it is by then. Another that is written there stays. */
export function useTaskOutOfLauncher() {
  const { drop, forget, bringBack } = useLaunchAttachments()
  /** `isHere`: nothing else was written in its place. */
  return (sent: SentTask): { isHere: boolean; refused: readonly Refusal[] } => {
    const now = currentDraft()
    drop(sent.attached)
    if (isSameTask(now, sent.draft)) {
      setDraft(afterStart(now))
      return { isHere: true, refused: now.replaced.at(-1)?.by === 'task' ? bringBack() : [] }
    }
    const place = placeOf(now, sent.draft)
    if (place !== null) {
      const { draft, isLess } = withoutPlace(now, place)
      setDraft(draft)
      if (isLess) forget(place)
    }
    return { isHere: false, refused: [] }
  }
}

/** Puts a task into the launcher. What it takes the place of can be brought back, with what is attached. */
export function useTaskIntoLauncher() {
  const { kept, replace } = useLaunchAttachments()
  return (task: LaunchDraft, by: ComposerAttachments = NO_ATTACHMENTS) => {
    const draft = currentDraft()
    const keeps = losesSome(draft, task) || losesSomeAttached(kept().now, by)
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
  setDraft(withOpened(currentDraft(), opened))
}
