import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { File, FileSymlink, Folder } from 'lucide-react'
import { useState } from 'react'
import type { FileKind, TrashItem } from '../../../../../server/api/v1/sandbox/files.ts'
import { keys } from '../../../../api/query-keys.ts'
import { fileActs, trashQuery } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { useNow } from '../../../../state/clock.ts'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { formatAgo, formatBytes } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

interface Props {
  /** Something is there again. */
  onRestored: () => void
  onClose: () => void
}

/** What a person has deleted in the sandbox, to be put back or removed for good. */
export function DeletedFiles({ onRestored, onClose }: Props) {
  const { id } = useOpenConversation()
  const client = useClient()
  const queries = useQueryClient()
  const acts = fileActs(client, id)
  const trash = useQuery(trashQuery(client, id))
  const [isAsking, setAsking] = useState(false)
  const read = () => queries.invalidateQueries({ queryKey: keys.trash(id) })
  const restore = useMutation({
    mutationFn: ({ trash_id }: TrashItem) => acts.restore(trash_id),
    onSuccess: ({ path }) => {
      notifyDone(t('restored', { name: shownName(nameIn(path)) }))
      onRestored()
    },
    onSettled: read,
  })
  const empty = useMutation({ mutationFn: () => acts.emptyTrash(), onSettled: read })
  const items = trash.data ?? []
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('deletedFiles')}
      description={t('deletedFilesText')}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button
            look="danger"
            busy={empty.isPending}
            disabledReason={items.length === 0 ? t('nothingDeleted') : null}
            onClick={() => setAsking(true)}
          >
            {t('emptyTrash')}
          </Button>
        </>
      }
    >
      {trash.isPending ? <Skeleton label={t('loadingDeleted')} /> : null}
      {trash.error && !trash.data ? (
        <ErrorNotice error={trash.error} onRetry={() => void trash.refetch()} retrying={trash.isFetching} />
      ) : null}
      {restore.error ? <ErrorNotice error={restore.error} /> : null}
      {empty.error ? <ErrorNotice error={empty.error} /> : null}
      {trash.data && items.length === 0 ? <p className="text-soft">{t('nothingDeleted')}</p> : null}
      {items.length > 0 ? (
        <ul aria-label={t('deletedFiles')} className="flex flex-col">
          {items.map(item => (
            <Item
              key={item.trash_id}
              item={item}
              busy={restore.isPending && restore.variables.trash_id === item.trash_id}
              onRestore={() => restore.mutate(item)}
            />
          ))}
        </ul>
      ) : null}
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('emptyTrashTitle', { count: items.length })}
        confirm={t('removeForGood')}
        onConfirm={() => {
          setAsking(false)
          empty.mutate()
        }}
      >
        {t('emptyTrashText')}
      </AlertDialog>
    </Dialog>
  )
}

const ICONS = { file: File, directory: Folder, link: FileSymlink, other: File } as const satisfies Record<
  FileKind,
  unknown
>

function Item({ item, busy, onRestore }: { item: TrashItem; busy: boolean; onRestore: () => void }) {
  const { path, kind, size_bytes, deleted_at } = item
  const now = useNow(60_000)
  const Icon = ICONS[kind]
  return (
    <li className="flex items-center gap-2.5 border-t border-line py-1.5 first:border-t-0">
      <Icon size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-sm" title={shownName(path)}>
          <PathText path={path} />
        </span>
        <span className="block text-faint text-sm">
          {[formatAgo(Date.parse(deleted_at), now), size_bytes === null ? null : formatBytes(size_bytes)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <Button
        size="small"
        busy={busy}
        aria-label={t('restoreName', { name: shownName(nameIn(path)) })}
        onClick={onRestore}
      >
        {t('restore')}
      </Button>
    </li>
  )
}
