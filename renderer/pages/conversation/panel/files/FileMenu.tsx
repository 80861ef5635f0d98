import { ContextMenu } from '@base-ui/react/context-menu'
import type { Row } from '../../../../state/files/tree.ts'
import { MenuItem, MenuSeparator } from '../../../../ui/overlay/Menu.tsx'
import { EditorItems } from './EditorItems.tsx'
import type { Naming } from './NameDialog.tsx'
import { t } from './text.ts'
import type { FileActs } from './use-file-acts.ts'

interface Props {
  row: Row | undefined
  onOpen: (row: Row) => void
  onName: (naming: Naming) => void
  acts: FileActs
}

/** What can be done with the row under the pointer, or with the active one. */
export function FileMenu({ row, onOpen, onName, acts }: Props) {
  if (row?.kind !== 'entry') return null
  const { entry, isFolder } = row
  const { path } = entry
  const isSpecial = !isFolder && entry.kind !== 'file' && entry.link?.kind !== 'file'
  const reason = path === null ? t('nameNotText') : null
  const readReason = reason ?? (isSpecial ? t('special') : null)
  const at = path ?? ''
  return (
    <ContextMenu.Portal>
      <ContextMenu.Positioner className="z-50">
        <ContextMenu.Popup className="menu-popup min-w-52">
          <MenuItem shortcut="Enter" disabledReason={readReason} onSelect={() => onOpen(row)}>
            {t('open')}
          </MenuItem>
          <MenuItem disabledReason={readReason} onSelect={() => acts.attach(at)}>
            {t('attach')}
          </MenuItem>
          <MenuItem disabledReason={readReason} onSelect={() => acts.download(at, isFolder)}>
            {isFolder ? t('downloadFolder') : t('download')}
          </MenuItem>
          <MenuItem disabledReason={reason} onSelect={() => void navigator.clipboard.writeText(at)}>
            {t('copyPath')}
          </MenuItem>
          <EditorItems path={path} />
          {isFolder && (
            <>
              <MenuSeparator />
              <MenuItem onSelect={() => onName({ kind: 'file', folder: at })}>{t('newFile')}</MenuItem>
              <MenuItem onSelect={() => onName({ kind: 'directory', folder: at })}>{t('newFolder')}</MenuItem>
            </>
          )}
          <MenuSeparator />
          <MenuItem shortcut="F2" disabledReason={reason} onSelect={() => onName({ kind: 'rename', path: at })}>
            {t('rename')}
          </MenuItem>
          <MenuItem shortcut="Delete" danger disabledReason={reason} onSelect={() => acts.remove(at)}>
            {t('deleteIt')}
          </MenuItem>
        </ContextMenu.Popup>
      </ContextMenu.Positioner>
    </ContextMenu.Portal>
  )
}
