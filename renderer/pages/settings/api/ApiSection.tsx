import { useQuery } from '@tanstack/react-query'
import { systemQuery } from '../../../api/queries.ts'
import { useClient, useSession } from '../../../api/session.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { EventDialect } from '../EventDialect.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { Line } from '../form/Line.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { ApiKeyLine } from './ApiKeyLine.tsx'
import { BrowserLogins } from './BrowserLogins.tsx'
import { t } from './text.ts'

/** How other tools on this machine reach the service. */
export function ApiSection({ form }: { form: SettingsForm }) {
  const { url } = useSession()
  const { data: system } = useQuery(systemQuery(useClient()))
  const address = system?.url ?? url
  const example = `curl -H "X-Session-API-Key: $ATELIER_KEY" \\\n  ${address}/api/v1/system`
  return (
    <>
      <p className="text-soft">{t('everythingThisWindow')}</p>
      <SettingAnchor name="api_address" className="flex flex-col gap-4">
        <Line name={SETTING_ENTRIES.api_address.label} value={address} />
        {system?.gateway_url ? <Line name={t('gatewayForSandboxes')} value={system.gateway_url} /> : null}
      </SettingAnchor>
      <SettingAnchor name="api_key" className="flex flex-col gap-4">
        <ApiKeyLine />
        <Line name={t('header')} value="X-Session-API-Key" note={t('bearerIsAcceptedToo')} />
      </SettingAnchor>
      <Group title={SETTING_ENTRIES.browser_logins.label} about={t('browserLogs')}>
        <SettingAnchor name="browser_logins" className="flex flex-col gap-3">
          <BrowserLogins />
        </SettingAnchor>
      </Group>
      <Group title={t('otherClients')}>
        <EventDialect form={form} />
      </Group>
      <Group title={t('tryIt')} about={t('putKeyIntoAtelierKey')}>
        <Line name={t('command')} value={example} />
      </Group>
      <Group title={SETTING_ENTRIES.api_docs.label}>
        <SettingAnchor name="api_docs" className="flex flex-col gap-2">
          <Docs name={t('thisApi')} address={address} />
          {system?.gateway_url ? <Docs name={t('gatewayForSandboxes')} address={system.gateway_url} /> : null}
        </SettingAnchor>
      </Group>
    </>
  )
}

function Docs({ name, address }: { name: string; address: string }) {
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-1">
      <span className="w-44">{name}</span>
      <ExternalLink href={`${address}/docs`}>{t('referenceToRead')}</ExternalLink>
      <ExternalLink href={`${address}/openapi.json`}>{t('openAPIDocument')}</ExternalLink>
    </p>
  )
}
