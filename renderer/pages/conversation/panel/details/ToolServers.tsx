import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type McpServerState, restartMcpServer } from '../../../../../server/api/v1/settings/mcp-states.ts'
import { toolServersQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { IconButton } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { TextBlock } from '../../timeline/message/TextBlock.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'

/** The conversation's tool servers: how each is, what it offers and what it said. */
export function ToolServers() {
  const { id } = useOpenConversation()
  const { data, error, refetch } = useQuery(toolServersQuery(useClient(), id))
  if (!error && (!data || data.length === 0)) return null
  return (
    <Section title={t('toolServers')}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="rounded-md border border-line">
          {data?.map(server => (
            <Server key={server.name} server={server} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const STATES = {
  stopped: { word: t('stopped'), tone: 'neutral' },
  starting: { word: t('starting'), tone: 'accent' },
  ready: { word: t('ready'), tone: 'good' },
  failed: { word: t('failed'), tone: 'bad' },
} as const satisfies Record<McpServerState['state'], { word: string; tone: string }>

function Server({ server }: { server: McpServerState }) {
  const { id } = useOpenConversation()
  const [open, setOpen] = useState(false)
  const restart = useCommand(client =>
    client.call(restartMcpServer, { params: { conversation_id: id, name: server.name } }),
  )
  const { word, tone } = STATES[server.state]
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex items-center gap-2 pe-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 px-2 text-start hover:bg-hover"
        >
          <span className="min-w-0 flex-1 truncate">{server.name}</span>
          {server.state === 'ready' && (
            <span className="text-faint text-sm">{t('toolCount', { count: server.tools.length })}</span>
          )}
          <Badge tone={tone}>{word}</Badge>
        </button>
        <IconButton
          size="small"
          label={t('restartServer', { name: server.name })}
          icon={<RotateCw size={13} aria-hidden />}
          busy={restart.isPending}
          disabledReason={server.state === 'starting' ? t('itIsStarting') : null}
          onClick={() => restart.mutate()}
        />
      </div>
      {server.state === 'failed' && (
        <p className="px-2 pb-1.5 text-sm">
          <span className="text-bad">{server.error}</span> <span className="text-soft">{server.next_step}</span>
        </p>
      )}
      {open && <ServerBody server={server} />}
    </li>
  )
}

function ServerBody({ server }: { server: McpServerState }) {
  return (
    <div className="flex flex-col gap-2 px-2 pb-2">
      <p title={server.detail} className="line-clamp-3 break-all font-mono text-soft text-sm">
        {server.detail}
      </p>
      {server.state === 'ready' && (
        <ul aria-label={t('tools')} className="text-sm">
          {server.tools.map(({ name, description }) => (
            <li key={name} title={description} className="truncate">
              <code>{name}</code> <span className="text-faint">{description}</span>
            </li>
          ))}
          {server.tools_left_out > 0 && (
            <li className="text-faint">{t('toolsLeftOut', { count: server.tools_left_out })}</li>
          )}
        </ul>
      )}
      {server.log.length > 0 ? (
        <TextBlock text={server.log.join('\n')} label={t('log')} />
      ) : (
        <p className="text-faint text-sm">{t('noOutput')}</p>
      )}
    </div>
  )
}
