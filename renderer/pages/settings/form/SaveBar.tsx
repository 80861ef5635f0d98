import { useSaveSettings } from '../../../api/settings.ts'
import { type CheckedEdits, countEdits, type SettingsEdits } from '../../../state/settings/form.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { foot } from '../../../ui/overlay/foot.ts'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

export interface SaveBarProps {
  edits: SettingsEdits
  checked: CheckedEdits
  /** These edits are saved, or given up. */
  onDone: (edits: SettingsEdits) => void
}

/** Shows while something is not saved. Only the changed fields are sent. */
export function SaveBar({ edits, checked, onDone }: SaveBarProps) {
  const save = useSaveSettings()
  const changes = countEdits(edits)
  if (changes === 0) return null
  function submit() {
    if (!checked.ok) return
    save.mutate(checked.patch, {
      onSuccess: () => {
        onDone(edits)
        notifyDone(t('settingsSaved'))
      },
    })
  }
  return (
    <footer ref={foot} className="flex shrink-0 flex-col gap-2 border-t border-line bg-canvas px-6 py-3">
      {save.error ? (
        <div className="max-w-148">
          <ErrorNotice error={save.error} onRetry={submit} retrying={save.isPending} />
        </div>
      ) : null}
      <div className="flex max-w-148 items-center justify-between gap-3">
        <p className="text-soft">{t('changesNotSaved', { count: changes })}</p>
        <div className="flex gap-2">
          <Button onClick={() => onDone(edits)}>{t('discard')}</Button>
          <Button
            look="primary"
            busy={save.isPending}
            disabledReason={checked.ok ? null : t('valueDoesNotFit')}
            onClick={submit}
          >
            {t('save')}
          </Button>
        </div>
      </div>
    </footer>
  )
}
