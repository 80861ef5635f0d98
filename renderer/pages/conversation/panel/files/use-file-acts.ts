import { useQueryClient } from '@tanstack/react-query'
import { fileActs } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { imageTypeOf } from '../../../../state/files/kind.ts'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { readImages } from '../../../../state/launch/attached-files.ts'
import { useComposerAttachments } from '../../../../state/launch/composer-attachments.ts'
import { saveFile } from '../../../../state/save-file.ts'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

export type FileActs = ReturnType<typeof useFileActs>

/** What is done with a file from its menu or by a key; each says what became of it. */
export function useFileActs(onChange: () => void) {
  const { id } = useOpenConversation()
  const acts = fileActs(useClient(), id)
  const queries = useQueryClient()
  const { append } = useComposerAttachments(id)

  async function restore(trashId: string) {
    await acts.restore(trashId).catch(notifyError)
    onChange()
  }
  async function remove(path: string) {
    const { trash_id } = await acts.delete(path)
    const name = shownName(nameIn(path))
    notifyDone(t('deleted', { name }), { label: t('undo'), act: () => void restore(trash_id) })
    onChange()
    void queries.invalidateQueries({ queryKey: ['files', id] })
  }
  async function download(path: string, isFolder: boolean) {
    const desktop = window.atelier
    if (!desktop) return saveFile(await acts.download(path), isFolder ? `${nameIn(path)}.zip` : nameIn(path))
    // A download can fail, but not say why.
    await acts.place(path)
    await desktop.download({ conversation: id, path })
  }
  /** A picture that the model can look at goes along; of anything else the agent gets the path. */
  async function attach(path: string) {
    const type = imageTypeOf(path)
    const picture = type ? new File([await acts.download(path)], nameIn(path), { type }) : null
    const images = picture ? (await readImages([picture])).images : []
    const isSeen = images.length > 0 && append({ images }).length === 0
    if (!isSeen) append({ paths: [path] })
    notifyDone(t('attached', { name: shownName(nameIn(path)) }))
  }
  const said = (work: Promise<unknown>) => void work.catch(notifyError)
  return {
    remove: (path: string) => said(remove(path)),
    download: (path: string, isFolder: boolean) => said(download(path, isFolder)),
    attach: (path: string) => said(attach(path)),
  }
}
