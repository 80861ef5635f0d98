import { useQuery } from '@tanstack/react-query'
import { Play, RotateCw, Square } from 'lucide-react'
import type { SandboxServiceInfo } from '../../../../../../server/api/v1/sandbox/services.ts'
import { printedLogQuery } from '../../../../../api/sandbox/services.ts'
import { useClient } from '../../../../../api/session.ts'
import { formatBytes } from '../../../../../state/format.ts'
import type { BadgeTone } from '../../../../../ui/Badge.tsx'
import { IconButton } from '../../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../../ui/ErrorNotice.tsx'
import { TextBlock } from '../../../timeline/message/TextBlock.tsx'
import { StateRow } from '../StateRow.tsx'
import { t } from './text.ts'

const STATES = {
  not_started: { word: t('notStarted'), tone: 'neutral' },
  pulling: { word: t('pulling'), tone: 'accent' },
  starting: { word: t('starting'), tone: 'accent' },
  running: { word: t('running'), tone: 'good' },
  healthy: { word: t('healthy'), tone: 'good' },
  unhealthy: { word: t('unhealthy'), tone: 'bad' },
  restarting: { word: t('restarting'), tone: 'bad' },
  paused: { word: t('paused'), tone: 'wait' },
  exited: { word: t('exited'), tone: 'neutral' },
  failed: { word: t('failed'), tone: 'bad' },
} as const satisfies Record<SandboxServiceInfo['state'], { word: string; tone: BadgeTone }>

const DOWN = new Set<SandboxServiceInfo['state']>(['not_started', 'exited', 'failed'])

interface Props {
  sandboxId: string
  service: SandboxServiceInfo
  /** Why nothing can be done to it now; null where it can. */
  fixedReason: string | null
  busy: boolean
  onAct: (act: 'start' | 'stop' | 'restart') => void
}

/** One service: how it is, where it listens, what it said. */
export function ServiceRow({ sandboxId, service, fixedReason, busy, onAct }: Props) {
  const { name, image, state, ports, memory_bytes } = service
  const { word, tone } = STATES[state]
  const isUp = !DOWN.has(state)
  return (
    <StateRow
      title={
        <span title={image} className="flex items-baseline gap-1.5">
          <bdi className="shrink-0">{name}</bdi>
          <bdi dir="ltr" className="min-w-0 truncate text-faint text-sm">
            {image}
          </bdi>
        </span>
      }
      fact={
        <>
          <bdi dir="ltr">{ports.map(port => `:${port}`).join(' ')}</bdi>{' '}
          {memory_bytes !== null && formatBytes(memory_bytes)}
        </>
      }
      tone={tone}
      word={word}
      actions={
        <>
          {isUp && (
            <IconButton
              size="small"
              label={t('restart', { name })}
              icon={<RotateCw size={13} aria-hidden />}
              busy={busy}
              disabledReason={fixedReason}
              onClick={() => onAct('restart')}
            />
          )}
          <IconButton
            size="small"
            label={isUp ? t('stop', { name }) : t('start', { name })}
            icon={isUp ? <Square size={13} aria-hidden /> : <Play size={13} aria-hidden />}
            busy={busy}
            disabledReason={fixedReason}
            onClick={() => onAct(isUp ? 'stop' : 'start')}
          />
        </>
      }
      note={<Note service={service} />}
    >
      <ServiceLog sandboxId={sandboxId} name={name} isStarted={state !== 'not_started'} />
    </StateRow>
  )
}

function Note({ service: { state, detail, restarts } }: Pick<Props, 'service'>) {
  const isBad = state === 'failed' || state === 'restarting'
  return (
    <>
      {detail && (
        <p
          dir="auto"
          className={`px-2 pt-0.5 pb-1.5 text-sm [overflow-wrap:anywhere] ${isBad ? 'text-bad' : 'text-soft'}`}
        >
          {detail}
        </p>
      )}
      {restarts > 0 && !DOWN.has(state) && (
        <p className="px-2 pt-0.5 pb-1.5 text-soft text-sm">{t('restarted', { count: restarts })}</p>
      )}
    </>
  )
}

function ServiceLog({ sandboxId, name, isStarted }: { sandboxId: string; name: string; isStarted: boolean }) {
  const { data, error } = useQuery({
    ...printedLogQuery(useClient(), { sandboxId, service: name }, { follows: true }),
    enabled: isStarted,
  })
  if (error && !data) return <ErrorNotice error={error} />
  if (data?.text) return <TextBlock text={data.text} label={t('log')} />
  return <p className="text-faint text-sm">{t('nothingWritten')}</p>
}
