import { ExternalLink } from 'lucide-react'
import type { SandboxPort } from '../../../../../server/api/v1/sandbox/ports.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { useOpenPort, usePreviewAddress } from '../../link/use-open-port.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { Browser } from './Browser.tsx'
import { t } from './text.ts'
import { usePorts } from './use-ports.ts'

/** What programs in the sandbox serve, to be looked at here or in the browser. */
export function PreviewTab() {
  const { isUsable } = useSandbox()
  const { preview } = useOpenConversation()
  if (!isUsable) return <EmptyState title={t('sandboxDoesNotRun')}>{t('sandboxDoesNotRunHint')}</EmptyState>
  if (preview.show && preview.address !== '')
    return <Browser address={preview.address} asked={preview.asked} onAddress={preview.moved} onClose={preview.close} />
  return <PortList />
}

/** It alone wakes a sandbox that rests: beside a page, or hidden, nobody looks at it. */
function PortList() {
  const ports = usePorts({ wakes: true })
  if (ports.isPending) return <Skeleton label={t('lookingForPorts')} className="p-3" />
  if (!ports.data)
    return (
      <div className="p-3">
        <ErrorNotice error={ports.error} onRetry={() => void ports.refetch()} retrying={ports.isFetching} />
      </div>
    )
  if (ports.data.length === 0) return <EmptyState title={t('nothingListens')}>{t('nothingListensHint')}</EmptyState>
  return (
    <div className="flex flex-col gap-3 p-3">
      <ul aria-label={t('ports')} className="divide-y divide-line rounded-md border border-line">
        {ports.data.map(each => (
          <PortRow key={each.port} port={each} />
        ))}
      </ul>
      <p className="text-faint text-sm">{t('addressHint')}</p>
    </div>
  )
}

function PortRow({ port: { port, program } }: { port: SandboxPort }) {
  const open = useOpenPort()
  const { show } = useOpenConversation().preview
  const addressOf = usePreviewAddress()
  return (
    <li className="flex items-center gap-2 px-3 py-2">
      <span className="font-medium tabular">{t('port', { port: String(port) })}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-soft text-sm">{program}</span>
      <CopyButton text={() => addressOf(port)} label={t('copyAddress', { port: String(port) })} />
      <IconButton
        size="small"
        icon={<ExternalLink size={13} aria-hidden />}
        label={t('openPort', { port: String(port) })}
        busy={open.isPending}
        onClick={() => open.mutate({ port })}
      />
      {show && (
        <Button
          size="small"
          aria-label={t('showPort', { port: String(port) })}
          onClick={() => show(`http://localhost:${port}/`)}
        >
          {t('open')}
        </Button>
      )}
    </li>
  )
}
