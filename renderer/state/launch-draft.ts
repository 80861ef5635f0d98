import { type LaunchDraft, parseDraft } from './launch.ts'
import { usePreference } from './preference.ts'

/** The launcher's draft; it outlives the page, and ends with the window. */
export function useLaunchDraft() {
  const [stored, store] = usePreference('launch-draft', '', sessionStorage)
  const setDraft = (draft: LaunchDraft) => store(JSON.stringify(draft))
  return [parseDraft(stored), setDraft] as const
}
