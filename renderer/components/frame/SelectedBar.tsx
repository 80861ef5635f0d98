import { Archive, Trash2, X } from 'lucide-react'
import { IconButton } from '../../ui/Button.tsx'
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx'
import { t } from '../text.ts'
import type { Several } from './use-several.ts'

/** Above the list while several conversations are selected: how many, and what can be done with them. */
export function SelectedBar({ several, onClear }: { several: Several; onClear: () => void }) {
  const { count } = several
  if (count === 0) return null
  return (
    <div role="toolbar" aria-label={t('selectedConversations')} className="flex items-center gap-1 px-3 pb-2">
      <span className="flex-1 text-sm text-soft">{t('countSelected', { count })}</span>
      <IconButton
        label={t('archiveSeveral', { count })}
        icon={<Archive size={14} aria-hidden />}
        onClick={several.archive}
      />
      <IconButton
        label={t('deleteSeveral', { count })}
        shortcut="Delete"
        icon={<Trash2 size={14} aria-hidden />}
        onClick={several.askDelete}
      />
      <IconButton label={t('selectNone')} shortcut="Esc" icon={<X size={14} aria-hidden />} onClick={onClear} />
      <AlertDialog
        open={several.asksDelete}
        onOpenChange={open => !open && several.cancelDelete()}
        title={t('deleteTheseConversations', { count })}
        confirm={t('delete')}
        onConfirm={several.delete}
      >
        {t('whatIsDeletedOfSeveral')}
      </AlertDialog>
    </div>
  )
}
