import { useQuery } from '@tanstack/react-query'
import { MenuItem, MenuSeparator } from '../../../../ui/overlay/Menu.tsx'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** The editors of this computer; in a browser there are none to be asked for. */
export function EditorItems({ path }: { path: string | null }) {
  const { id, info } = useOpenConversation()
  const desktop = window.atelier
  const { data } = useQuery({
    queryKey: ['editors'],
    queryFn: async () => (await desktop?.editors()) ?? [],
    enabled: desktop !== undefined,
  })
  if (!desktop || path === null) return null
  const open = (editor: string) => void desktop.openInEditor({ editor, conversation: id, path }).catch(notifyError)
  return (
    <>
      <MenuSeparator />
      {data?.length === 0 && (
        <MenuItem disabledReason={t('noEditor')} onSelect={() => {}}>
          {t('openInEditor')}
        </MenuItem>
      )}
      {data?.map(({ id: editor, name, opensContainers }) => (
        <MenuItem
          key={editor}
          disabledReason={opensContainers || info.mounted_folder !== null ? null : t('onlyMounted', { editor: name })}
          onSelect={() => open(editor)}
        >
          {t('openIn', { editor: name })}
        </MenuItem>
      ))}
    </>
  )
}
