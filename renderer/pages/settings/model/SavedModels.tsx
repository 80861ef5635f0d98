import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { useActivateProfile, useDeleteProfile } from '../../../api/profiles.ts'
import { profilesQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { editedFields } from '../../../state/settings/form.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import type { SettingsForm } from '../form/form.ts'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { LoadingRows, RowList } from '../form/RowList.tsx'
import { RenameProfile, SaveProfile } from './ProfileDialog.tsx'
import { ProfileRow } from './ProfileRow.tsx'
import { t } from './text.ts'

type Open = { kind: 'none' } | { kind: 'save' } | { kind: 'rename' | 'delete'; name: string }

/** Kept at once, not with the other settings. */
export function SavedModels({ form }: { form: SettingsForm }) {
  const { data, error, refetch, isFetching } = useQuery(profilesQuery(useClient()))
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const use = useActivateProfile()
  const close = () => setOpen({ kind: 'none' })
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!data) return <LoadingRows label={t('loadingSavedModels')} action />
  const model = form.stored?.llm_model ?? ''
  const names = data.profiles.map(({ name }) => name)
  const unsaved = unsavedReason(form)
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start"
        icon={<BookmarkPlus size={14} aria-hidden />}
        disabledReason={model ? unsaved : t('chooseModelFirst')}
        onClick={() => setOpen({ kind: 'save' })}
      >
        {t('openSaveModel')}
      </Button>
      <RowList label={t('savedModels')} empty={names.length === 0 ? t('noSavedModels') : null}>
        {data.profiles.map(profile => (
          <ProfileRow
            key={profile.name}
            profile={profile}
            active={profile.name === data.active_profile}
            busy={use.isPending && use.variables === profile.name}
            disabledReason={unsaved}
            onUse={() =>
              use.mutate(profile.name, {
                onSuccess: () => notifyDone(t('newConversationsUseModel', { model: profile.model })),
                onError: notifyError,
              })
            }
            onRename={() => setOpen({ kind: 'rename', name: profile.name })}
            onDelete={() => setOpen({ kind: 'delete', name: profile.name })}
          />
        ))}
      </RowList>
      {open.kind === 'save' ? <SaveProfile model={model} names={names} onClose={close} /> : null}
      {open.kind === 'rename' ? <RenameProfile name={open.name} names={names} onClose={close} /> : null}
      {open.kind === 'delete' ? <DeleteProfile name={open.name} onClose={close} /> : null}
    </div>
  )
}

const OF_THE_MODEL: readonly string[] = ['llm_model', 'llm_base_url', 'llm_api_key']

/** What was typed over the model would be lost, or be taken for what is saved. */
function unsavedReason({ edits }: SettingsForm): string | null {
  const open = editedFields(edits).some(name => OF_THE_MODEL.includes(name))
  return open ? t('saveOrDiscardChanges') : null
}

function DeleteProfile({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <RemoveDialog
      title={t('deleteSavedModel')}
      confirm={t('delete')}
      removal={useDeleteProfile()}
      id={name}
      done={t('nameIsDeleted', { name })}
      onClose={onClose}
    >
      {t.rich('modelIsRemoved', {
        name,
        mono: chunks => <span className="font-mono text-sm wrap-anywhere">{chunks}</span>,
      })}
    </RemoveDialog>
  )
}
