import { Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import type { EngineEntry } from '../../../../server/api/v1/system/engines.ts'
import { useCheckEngine } from '../../../api/sandbox/engines.ts'
import { EngineSteps } from '../../../components/steps/EngineSteps.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

interface Props {
  engine: EngineEntry
  onRename: () => void
  onRemove: () => void
}

export function EngineRow({ engine, onRename, onRemove }: Props) {
  const { name, address, is_default, status } = engine
  const check = useCheckEngine()
  const look = () => check.mutate(engine.id, { onError: notifyError })
  return (
    <li className="border-line border-b py-2 pe-2 ps-3 last:border-b-0">
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="block truncate">{name}</span>
          {address && (
            <span className="block truncate font-mono text-faint text-sm" title={address}>
              {address}
            </span>
          )}
          <span className="tabular block text-faint text-sm">{words(engine)}</span>
        </span>
        {is_default && <Badge tone="accent">{t('default')}</Badge>}
        {status.state === 'ready' ? (
          <Badge tone="good">{t('ready')}</Badge>
        ) : (
          <Badge tone="bad">{t('notAvailable')}</Badge>
        )}
        <EngineMenu engine={engine} busy={check.isPending} onCheck={look} onRename={onRename} onRemove={onRemove} />
      </div>
      {status.state === 'unavailable' && (
        <div className="mt-2 flex flex-col items-start gap-2 pe-1">
          <p className="break-words text-soft">{status.reason}</p>
          {status.steps.length > 0 && <EngineSteps steps={status.steps} />}
          <Button size="small" busy={check.isPending} onClick={look}>
            {t('lookAgain')}
          </Button>
        </div>
      )}
    </li>
  )
}

/** `Docker 27.1 · 3 sandboxes, 1 running · 4 ms`. */
function words({ status, sandboxes, running_sandboxes: running, latency_ms: latency }: EngineEntry): string {
  const isReady = status.state === 'ready'
  return [
    isReady ? `${status.name} ${status.version}` : '',
    t('sandboxesAndRunning', { count: sandboxes, running }),
    isReady && latency !== null ? t('latency', { milliseconds: Math.max(1, Math.round(latency)) }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

interface MenuProps extends Props {
  busy: boolean
  onCheck: () => void
}

function EngineMenu({ engine, busy, onCheck, onRename, onRemove }: MenuProps) {
  const { name, is_default, status, sandboxes } = engine
  const fixed = is_default ? t('itIsFoundByItself') : null
  const inUse = sandboxes > 0 && status.state === 'ready' ? t('deleteItsSandboxesFirst') : null
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          label={t('moreForName', { name })}
          icon={<Ellipsis size={14} aria-hidden />}
          busy={busy}
        />
      }
    >
      <MenuItem icon={<RefreshCw size={13} aria-hidden />} onSelect={onCheck}>
        {t('lookAgain')}
      </MenuItem>
      <MenuItem icon={<Pencil size={13} aria-hidden />} disabledReason={fixed} onSelect={onRename}>
        {t('rename')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={13} aria-hidden />} disabledReason={fixed ?? inUse} onSelect={onRemove}>
        {t('removeEngine')}
      </MenuItem>
    </Menu>
  )
}
