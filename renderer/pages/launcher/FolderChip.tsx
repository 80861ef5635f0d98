import { useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import type { FolderInspection } from '../../../server/api/v1/conversation/folder/folders.ts'
import { folderQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { folderName, formatBytes } from '../../state/format.ts'
import { isAbsolutePath, type LaunchDraft } from '../../state/launch/launch.ts'
import { useRecentFolders } from '../../state/launch/recent-folders.ts'
import { useSettled } from '../../state/settled.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Suggest } from '../../ui/field/Suggest.tsx'
import { Switch } from '../../ui/field/Switch.tsx'
import { Chip } from './Chip.tsx'
import { FolderModeField } from './FolderModeField.tsx'
import { t } from './text.ts'

export interface FolderChipProps {
  draft: LaunchDraft
  problem: string | undefined
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** A folder of this computer, what would be copied of it, and why it cannot be. */
export function FolderChip({ draft, problem, onChange }: FolderChipProps) {
  const folder = draft.folder.trim()
  const { folders } = useRecentFolders()
  const settled = useSettled(folder)
  const { data, error } = useQuery({ ...folderQuery(useClient(), settled), enabled: isAbsolutePath(settled) })
  const answered = settled === folder && isAbsolutePath(folder)
  const refusal = problem ?? (answered ? error?.message : undefined)
  async function choose() {
    const chosen = await window.atelier?.chooseFolder()
    if (chosen) onChange({ folder: chosen, folderMode: 'copy' })
  }
  return (
    <Chip
      icon={FolderOpen}
      name={t('folder')}
      value={folder ? folderName(folder) : null}
      empty={t('noFolder')}
      problem={refusal}
    >
      <Field label={t('folder')} hint={t('folderOfComputer')} error={refusal}>
        <div className="flex gap-1">
          <Suggest
            value={draft.folder}
            onValueChange={value => onChange({ folder: value, folderMode: 'copy' })}
            suggestions={folders.map(value => ({ value }))}
            placeholder={t('pathOfFolder')}
            mono
          />
          {window.atelier ? (
            <IconButton
              label={t('openFolder')}
              icon={<FolderOpen size={14} aria-hidden />}
              className="size-8!"
              onClick={() => void choose()}
            />
          ) : null}
        </div>
      </Field>
      {refusal || !isAbsolutePath(folder) ? null : answered && data ? (
        <Inspection found={data} draft={draft} onChange={onChange} />
      ) : (
        <p role="status" className="text-sm text-faint">
          {t('lookingAtFolder')}
        </p>
      )}
    </Chip>
  )
}

function Inspection({ found, draft, onChange }: Omit<FolderChipProps, 'problem'> & { found: FolderInspection }) {
  const { git, files, size_bytes, ignored, left_out } = found
  const uncommitted = git?.head ? (git.uncommitted_files ?? 0) : 0
  return (
    <div className="flex flex-col gap-2 text-sm text-faint">
      <p>
        {git ? t('folderOnBranch', { branch: git.branch ?? t('noBranch') }) : t('folderWithoutGit')}{' '}
        {files !== null && size_bytes !== null ? t('folderSize', { files, size: formatBytes(size_bytes) }) : null}
        {ignored.count > 0 ? ` ${t('folderIgnored', { count: ignored.count })}` : null}
      </p>
      {left_out.count > 0 ? (
        <p title={left_out.names.join('\n')}>{t('folderLeftOut', { count: left_out.count })}</p>
      ) : null}
      <FolderModeField found={found} draft={draft} onChange={onChange} />
      {draft.folderMode !== 'in_place' && uncommitted > 0 ? (
        <div className="flex items-center justify-between gap-3 text-ink">
          <span aria-hidden>{t('copyUncommitted', { count: uncommitted })}</span>
          <Switch
            aria-label={t('copyUncommitted', { count: uncommitted })}
            checked={draft.folderChanges}
            onCheckedChange={folderChanges => onChange({ folderChanges })}
          />
        </div>
      ) : null}
    </div>
  )
}
