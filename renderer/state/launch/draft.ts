import { usePreference } from '../settings/preference.ts'
import { type LaunchDraft, parseDraft } from './launch.ts'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  const [stored, store] = usePreference('launch-draft', '', sessionStorage)
  const setDraft = (draft: LaunchDraft) => store(JSON.stringify(draft))
  return [parseDraft(stored), setDraft] as const
}
