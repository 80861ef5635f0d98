import type { ServerKind } from '../../../state/settings/tool-servers.ts'
import { t } from './text.ts'

export const KIND_TITLES: Readonly<Record<ServerKind, { title: string; short: string; hint: string }>> = {
  stdio: { title: t('commandInSandbox'), short: 'stdio', hint: t('stdioServer') },
  shttp: { title: t('streamableHttp'), short: 'HTTP', hint: t('serverAtAddress') },
  sse: { title: t('serverSentEvents'), short: 'SSE', hint: t('sseServer') },
}
