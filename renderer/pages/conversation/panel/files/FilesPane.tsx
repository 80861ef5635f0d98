import { Eye, EyeOff, FilePlus, FolderPlus, RefreshCw, Trash2, Upload } from 'lucide-react'
import { type DragEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isFolder, joined, parentOf, type Row, rowsOf } from '../../../../state/files/tree.ts'
import { droppedEntries } from '../../../../state/files/upload/dropped.ts'
import { usePreference } from '../../../../state/settings/preference.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import type { Changes } from '../changes/use-changes.ts'
import { DeletedFiles } from './DeletedFiles.tsx'
import { FileTree } from './FileTree.tsx'
import { FoundFiles } from './FoundFiles.tsx'
import { NameDialog, type Naming } from './NameDialog.tsx'
import { t } from './text.ts'
import { UploadBar } from './UploadBar.tsx'
import { useFileTree } from './use-file-tree.ts'
import { useUploads } from './use-uploads.ts'

/** A box that finds files, the tree, and what is being uploaded. */
export function FilesPane({ changes }: { changes: Changes }) {
  const files = useFileTree()
  const { tree, refresh } = files
  const [find, setFind] = useState('')
  const [hide, setHide] = usePreference('files.ignored', 'shown')
  const [naming, setNaming] = useState<Naming | null>(null)
  const [active, setActive] = useState<Row | null>(null)
  const [isOver, setOver] = useState(false)
  const [showsDeleted, setShowsDeleted] = useState(false)
  const { uploads, ...uploading } = useUploads()
  const input = useRef<HTMLInputElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const onEnded = useEffectEvent(refresh)
  useEffect(() => {
    if (uploading.ended > 0) onEnded()
  }, [uploading.ended])
  const hideIgnored = hide === 'hidden'
  const rows = useMemo(() => rowsOf(tree, { hideIgnored }), [tree, hideIgnored])
  const changed = useMemo(() => changedPaths(changes, tree.root), [changes, tree.root])
  // Until it is known, the service's word for it.
  const folder = folderOf(active, tree.root ?? '.')

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    uploads.beginWith(folder, droppedEntries(event.dataTransfer))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a keyboard twin, the button that uploads
    <div
      className={`flex h-full min-h-0 flex-col ${isOver ? 'outline-2 outline-accent -outline-offset-2' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className="flex shrink-0 items-center gap-1 border-line border-b px-2 py-1.5">
        <Input
          type="search"
          aria-label={t('find')}
          placeholder={t('find')}
          value={find}
          onValueChange={setFind}
          className="h-7! min-w-0 flex-1"
        />
        <IconButton
          size="small"
          label={t('newFile')}
          icon={<FilePlus size={14} aria-hidden />}
          onClick={() => setNaming({ kind: 'file', folder })}
        />
        <IconButton
          size="small"
          label={t('newFolder')}
          icon={<FolderPlus size={14} aria-hidden />}
          onClick={() => setNaming({ kind: 'directory', folder })}
        />
        <IconButton
          ref={uploadButton}
          size="small"
          label={t('upload')}
          icon={<Upload size={14} aria-hidden />}
          onClick={() => input.current?.click()}
        />
        <IconButton
          size="small"
          label={hideIgnored ? t('showIgnored') : t('hideIgnored')}
          icon={hideIgnored ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          onClick={() => setHide(hideIgnored ? 'shown' : 'hidden')}
        />
        <IconButton
          size="small"
          label={t('deletedFiles')}
          icon={<Trash2 size={14} aria-hidden />}
          onClick={() => setShowsDeleted(true)}
        />
        <IconButton size="small" label={t('refresh')} icon={<RefreshCw size={14} aria-hidden />} onClick={refresh} />
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            uploads.begin(
              folder,
              [...(target.files ?? [])].map(file => ({ path: file.name, file })),
            )
            target.value = ''
          }}
        />
      </div>
      {isOver && <p className="bg-accent-wash px-3 py-1 text-sm">{t('dropHere', { folder })}</p>}
      {find.trim() === '' ? (
        <FileTree files={files} rows={rows} changed={changed} onActive={setActive} onName={setNaming} />
      ) : (
        <FoundFiles text={find} root={tree.root ?? '/'} />
      )}
      <UploadBar uploads={uploads} {...uploading} heir={() => uploadButton.current} />
      {showsDeleted && <DeletedFiles onRestored={refresh} onClose={() => setShowsDeleted(false)} />}
      {naming && <NameDialog naming={naming} onDone={refresh} onClose={() => setNaming(null)} />}
    </div>
  )
}

/** Where something new goes: into the folder that is chosen, else beside what is. */
function folderOf(row: Row | null, root: string): string {
  if (row?.kind !== 'entry' || row.entry.path === null) return root
  return isFolder(row.entry) ? row.entry.path : parentOf(row.entry.path)
}

/** With the folders that they are in. */
function changedPaths({ edits, others }: Changes, root: string | null): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { path } of [...edits, ...others]) {
    let full = path.startsWith('/') ? path : joined(root ?? '', path)
    for (; full.length > 1 && !paths.has(full); full = parentOf(full)) paths.add(full)
  }
  return paths
}
