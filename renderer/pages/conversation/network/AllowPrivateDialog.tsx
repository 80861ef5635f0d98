import { useQuery, useQueryClient } from '@tanstack/react-query'
import { settingsQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { useSaveSettings } from '../../../api/settings.ts'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

/** Asks before an address of this computer or its network is opened: it is then to every sandbox. */
export function AllowPrivateDialog({ host, onClose }: { host: string; onClose: () => void }) {
  const settings = settingsQuery(useClient())
  const queries = useQueryClient()
  const { data } = useQuery(settings)
  const { mutateAsync, isPending } = useSaveSettings()
  // As they are by then: somebody else may have changed them.
  const hosts = () => queries.getQueryData(settings.queryKey)?.allowed_hosts ?? []
  // Awaited, and not left to what is shown: this is gone by the time that it is taken back.
  async function save(allowed_hosts: string[]): Promise<boolean> {
    try {
      await mutateAsync({ allowed_hosts })
      return true
    } catch (error) {
      notifyError(error)
      return false
    }
  }
  async function allow() {
    if (!(await save([...hosts(), host]))) return
    const act = () => void save(hosts().filter(each => each !== host))
    notifyDone(t('privateIsAllowed', { host }), { label: t('undo'), act })
    onClose()
  }
  return (
    <AlertDialog
      open
      onOpenChange={() => !isPending && onClose()}
      title={t('allowPrivateTitle', { host })}
      confirm={t('allow')}
      onConfirm={() => void allow()}
      busy={isPending}
      disabledReason={data ? null : t('loadingNetwork')}
    >
      {t('aboutPrivate')}
    </AlertDialog>
  )
}
