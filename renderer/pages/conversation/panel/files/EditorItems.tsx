import { useQuery } from '@tanstack/react-query'
import type { Editor } from '../../../../../electron/ipc.ts'
import { enginesQuery } from '../../../../api/sandbox/engines.ts'
import { useClient } from '../../../../api/session.ts'
import { whyNoAddress } from '../../../../state/files/editors.ts'
import { MenuItem, MenuSeparator } from '../../../../ui/overlay/Menu.tsx'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'
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
  const { engineId } = useSandbox()
  const { data: engines } = useQuery(enginesQuery(useClient()))
  if (!desktop || path === null) return null
  const engine = engines?.find(({ id }) => id === engineId)?.kind
  const place = { engine, isMounted: info.mounted_folder !== null }
  const reasonOf = (editor: Editor) => {
    const reason = whyNoAddress(editor, place)
    return reason && REASONS[reason](editor.name)
  }
  const open = (editor: string) => void desktop.openInEditor({ editor, conversation: id, path }).catch(notifyError)
  return (
    <>
      <MenuSeparator />
      {data?.length === 0 && (
        <MenuItem disabledReason={t('noEditor')} onSelect={() => {}}>
          {t('openInEditor')}
        </MenuItem>
      )}
      {data?.map(editor => (
        <MenuItem key={editor.id} disabledReason={reasonOf(editor)} onSelect={() => open(editor.id)}>
          {t('openIn', { editor: editor.name })}
        </MenuItem>
      ))}
    </>
  )
}

const REASONS = {
  onlyMounted: (editor: string) => t('onlyMounted', { editor }),
  inCluster: (editor: string) => t('inCluster', { editor }),
  onOtherComputer: (editor: string) => t('onOtherComputer', { editor }),
}
