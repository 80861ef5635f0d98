import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { type McpServerState, restartMcpServer } from '../../../../../server/api/v1/settings/mcp-states.ts'
import { toolServersQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { useCommand } from '../../../../components/use-command.ts'
import type { BadgeTone } from '../../../../ui/Badge.tsx'
import { IconButton } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { TextBlock } from '../../timeline/message/TextBlock.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'
import { StateRow } from './StateRow.tsx'

/** The conversation's tool servers: how each is, what it offers and what it said. */
export function ToolServers() {
  const { id } = useOpenConversation()
  const { data, error, refetch } = useQuery(toolServersQuery(useClient(), id))
  if (!error && (!data || data.length === 0)) return null
  return (
    <Section title={t('toolServers')}>
      {error && !data ? (
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
} as const satisfies Record<McpServerState['state'], { word: string; tone: BadgeTone }>

function Server({ server }: { server: McpServerState }) {
  const { id } = useOpenConversation()
  const restart = useCommand(client =>
    client.call(restartMcpServer, { params: { conversation_id: id, name: server.name } }),
  )
  const { word, tone } = STATES[server.state]
  return (
    <StateRow
      title={server.name}
      fact={server.state === 'ready' && t('toolCount', { count: server.tools.length })}
      tone={tone}
      word={word}
      actions={
        <IconButton
          size="small"
          label={t('restartServer', { name: server.name })}
          icon={<RotateCw size={13} aria-hidden />}
          busy={restart.isPending}
          disabledReason={server.state === 'starting' ? t('itIsStarting') : null}
          onClick={() => restart.mutate()}
        />
      }
      note={
        server.state === 'failed' && (
          <p className="px-2 pb-1.5 text-sm">
            <span className="text-bad">{server.error}</span> <span className="text-soft">{server.next_step}</span>
          </p>
        )
      }
    >
      <ServerBody server={server} />
    </StateRow>
  )
}

function ServerBody({ server }: { server: McpServerState }) {
  return (
    <>
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
    </>
  )
}
