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
  const { mutate, isPending } = useSaveSettings()
  // As they are by then: somebody else may have changed them.
  const hosts = () => queries.getQueryData(settings.queryKey)?.allowed_hosts ?? []
  function takeBack() {
    mutate({ allowed_hosts: hosts().filter(each => each !== host) }, { onError: notifyError })
  }
  function allow() {
    mutate(
      { allowed_hosts: [...hosts(), host] },
      {
        onSuccess: () => {
          notifyDone(t('privateIsAllowed', { host }), { label: t('undo'), act: takeBack })
          onClose()
        },
        onError: notifyError,
      },
    )
  }
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={t('allowPrivateTitle', { host })}
      confirm={t('allow')}
      onConfirm={allow}
      busy={isPending}
      disabledReason={data ? null : t('loadingNetwork')}
    >
      {t('aboutPrivate')}
    </AlertDialog>
  )
}
