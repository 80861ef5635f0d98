import type { SettingsReply } from '../../../../server/api/v1/settings/settings.ts'
import type { SettingsEdits, SettingsErrors } from '../../../state/settings/form.ts'

/** What every section works with: the stored values, what was typed over them, and what is wrong with that. */
export interface SettingsForm {
  stored: SettingsReply | null
  edits: SettingsEdits
  errors: SettingsErrors
  change: (edits: SettingsEdits) => void
}
