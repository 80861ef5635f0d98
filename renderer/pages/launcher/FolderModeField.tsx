import { useState } from 'react'
import type { FolderInspection, FolderMode } from '../../../server/api/v1/conversation/folder/folders.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx'
import { t } from './text.ts'

export interface FolderModeFieldProps {
  found: FolderInspection
  draft: LaunchDraft
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** How the agent works on a folder, which modes cannot be chosen and why. In the folder itself only once a person has agreed. */
export function FolderModeField({ found, draft, onChange }: FolderModeFieldProps) {
  const [asks, setAsks] = useState(false)
  function choose(folderMode: FolderMode) {
    if (folderMode === 'in_place' && !found.in_place_confirmed) setAsks(true)
    else onChange({ folderMode })
  }
  return (
    <>
      <Field label={t('howAgentWorks')} hint={HINTS[draft.folderMode]}>
        <Select
          value={found.modes.includes(draft.folderMode) ? draft.folderMode : null}
          placeholder={t('chooseHow')}
          options={found.modes.map(value => ({ value, label: LABELS[value], hint: HINTS[value] }))}
          onValueChange={choose}
        />
      </Field>
      {found.unavailable.map(({ mode, reason }) => (
        <p key={mode} className="text-sm text-faint">
          {t('modeUnavailable', { mode: LABELS[mode], reason })}
        </p>
      ))}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('workInPlaceQuestion')}
        confirm={t('workInPlace')}
        onConfirm={() => {
          setAsks(false)
          onChange({ folderMode: 'in_place' })
        }}
      >
        <p className="break-all font-mono text-sm">{found.path}</p>
        <p className="mt-2">{t('workInPlaceMeans')}</p>
      </AlertDialog>
    </>
  )
}

const LABELS: Record<FolderMode, string> = {
  copy: t('copyOnBranch'),
  worktree: t('worktree'),
  in_place: t('inPlace'),
}

const HINTS: Record<FolderMode, string> = {
  copy: t('copyMeans'),
  worktree: t('worktreeMeans'),
  in_place: t('inPlaceMeans'),
}
