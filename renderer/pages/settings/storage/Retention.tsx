import { useQuery } from '@tanstack/react-query'
import { type RetentionRules, retentionRules } from '../../../../server/api/v1/system/retention.ts'
import { useClient } from '../../../api/session.ts'
import { retentionQuery } from '../../../api/storage.ts'
import { fieldText } from '../../../state/settings/form.ts'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import type { SettingsForm } from '../form/form.ts'
import { SettingField } from '../form/SettingField.tsx'
import { t } from './text.ts'

/** After how long conversations are archived and deleted, and what that means at once before it is saved. */
export function Retention({ form }: { form: SettingsForm }) {
  const { edits } = form
  const isEdited = edits.fields.archive_after_days !== undefined || edits.fields.delete_after_days !== undefined
  const rules = rulesOf(form)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingField form={form} field="archive_after_days" placeholder={t('never')} numeric />
        <SettingField form={form} field="delete_after_days" placeholder={t('never')} numeric />
      </div>
      {isEdited && rules ? <Effect rules={rules} /> : null}
    </>
  )
}

function Effect({ rules }: { rules: RetentionRules }) {
  const { data, error, refetch, isFetching } = useQuery(retentionQuery(useClient(), rules))
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!data) return null
  const { archived, deleted } = data
  const what = t('deletedWhenSaved', { count: deleted })
  const meaning = t('archivedWhenSaved', { count: archived })
  if (deleted > 0) return <Notice tone="wait" what={what} meaning={meaning} />
  return (
    <p role="status" className="text-soft">
      {what} {meaning}
    </p>
  )
}

/** undefined while what is entered is no number of days */
function rulesOf({ stored, edits }: SettingsForm): RetentionRules | undefined {
  const daysOf = (field: 'archive_after_days' | 'delete_after_days') => {
    const text = fieldText(edits, stored, field).trim()
    return text === '' ? null : Number(text)
  }
  const given = { archive_after_days: daysOf('archive_after_days'), delete_after_days: daysOf('delete_after_days') }
  return retentionRules.safeParse(given).data
}
