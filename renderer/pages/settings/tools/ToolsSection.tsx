import { Plus } from 'lucide-react'
import { useState } from 'react'
import { KeychainLocked } from '../../../components/banner/KeychainLocked.tsx'
import {
  draftAt,
  EMPTY_SERVER,
  NO_SERVERS,
  type ServerPosition,
  type ServerRow,
  serverRows,
  type ToolServers,
  withoutServer,
} from '../../../state/settings/tool-servers.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { Row, RowList } from '../form/RowList.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { KeySetting } from '../model/KeySetting.tsx'
import { ServerDialog } from './ServerDialog.tsx'
import { KIND_TITLES } from './server-kinds.ts'
import { t } from './text.ts'

export function ToolsSection({ form }: { form: SettingsForm }) {
  const { stored, edits, errors, change } = form
  const isKnown = stored === null || stored.mcp_config !== undefined
  const servers = edits.servers ?? stored?.mcp_config ?? NO_SERVERS
  return (
    <>
      <p className="text-soft">{t('toolServersHint')}</p>
      <SettingAnchor name="mcp_config">
        {isKnown || edits.servers ? (
          <Servers servers={servers} onChange={next => change({ ...edits, servers: next })} />
        ) : (
          <Field label={SETTING_ENTRIES.mcp_config.label} hint={t('theyAreInKeychain')}>
            <KeychainLocked />
          </Field>
        )}
        {errors.mcp_config ? <p className="mt-1 text-sm text-bad">{errors.mcp_config}</p> : null}
      </SettingAnchor>
      <Group title={t('webSearch')}>
        <KeySetting form={form} field="search_api_key" />
      </Group>
    </>
  )
}

type Editing = { place: ServerPosition | null } | null

function Servers({ servers, onChange }: { servers: ToolServers; onChange: (servers: ToolServers) => void }) {
  const [editing, setEditing] = useState<Editing>(null)
  const rows = serverRows(servers)
  return (
    <div className="flex flex-col items-stretch gap-3">
      <Button className="self-start" icon={<Plus size={14} aria-hidden />} onClick={() => setEditing({ place: null })}>
        {t('addToolServer')}
      </Button>
      <RowList label={t('toolServers')} empty={rows.length === 0 ? t('noToolServersYet') : null}>
        {rows.map(row => (
          <Row
            key={`${row.kind} ${row.index}`}
            title={row.title}
            detail={<span className="font-mono">{row.detail}</span>}
            badges={<RowBadges row={row} />}
            onEdit={() => setEditing({ place: row })}
            onRemove={() => onChange(withoutServer(servers, row))}
          />
        ))}
      </RowList>
      {editing ? (
        <ServerDialog
          servers={servers}
          place={editing.place}
          initial={editing.place ? draftAt(servers, editing.place) : EMPTY_SERVER}
          onClose={() => setEditing(null)}
          onChange={onChange}
        />
      ) : null}
    </div>
  )
}

function RowBadges({ row }: { row: ServerRow }) {
  return (
    <>
      {row.hasKey ? <Badge tone="good">{t('keySet')}</Badge> : null}
      <Badge>{KIND_TITLES[row.kind].short}</Badge>
    </>
  )
}
