import { useState } from 'react'
import {
  type DraftErrors,
  type DraftField,
  SERVER_KINDS,
  type ServerDraft,
  type ServerPosition,
  type ToolServers,
  withServer,
} from '../../../state/settings/tool-servers.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { ServerTest } from './ServerTest.tsx'
import { KIND_TITLES } from './server-kinds.ts'
import { t } from './text.ts'

export interface ServerDialogProps {
  servers: ToolServers
  /** The server that is edited; null adds one. */
  place: ServerPosition | null
  initial: ServerDraft
  onClose: () => void
  onChange: (servers: ToolServers) => void
}

const KINDS = SERVER_KINDS.map(kind => ({ value: kind, label: KIND_TITLES[kind].title, hint: KIND_TITLES[kind].hint }))

export function ServerDialog({ servers, place, initial, onClose, onChange }: ServerDialogProps) {
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const checked = withServer(servers, place, draft)
  const set = (field: DraftField) => (text: string) => setDraft({ ...draft, [field]: text })
  function submit() {
    setTried(true)
    if (!checked.ok) return
    onChange(checked.servers)
    onClose()
  }
  const fields = { draft, errors: tried && !checked.ok ? checked.errors : {}, set }
  return (
    <FormDialog
      onClose={onClose}
      title={place ? t('editToolServer') : t('addToolServer')}
      submit={place ? t('change') : t('add')}
      onSubmit={submit}
    >
      <Field label={t('kind')} hint={KIND_TITLES[draft.kind].hint}>
        <Select value={draft.kind} options={KINDS} onValueChange={kind => setDraft({ ...draft, kind })} />
      </Field>
      {draft.kind === 'stdio' ? <CommandFields {...fields} /> : <RemoteFields {...fields} />}
      <ServerTest draft={draft} fits={checked.ok} onTry={() => setTried(true)} />
    </FormDialog>
  )
}

interface FieldsProps {
  draft: ServerDraft
  errors: DraftErrors
  set: (field: DraftField) => (text: string) => void
}

function CommandFields({ draft, errors, set }: FieldsProps) {
  return (
    <>
      <Field label={t('name')} error={errors.name}>
        <Input value={draft.name} onValueChange={set('name')} mono />
      </Field>
      <Field label={t('command')} error={errors.command}>
        <Input value={draft.command} onValueChange={set('command')} placeholder="npx" mono />
      </Field>
      <Field label={t('arguments')} hint={t('onePerLine')} error={errors.args}>
        <Textarea value={draft.args} onValueChange={set('args')} spellCheck={false} className="font-mono text-sm" />
      </Field>
      <Field label={t('environment')} hint={t('nameValue')} error={errors.env}>
        <Textarea value={draft.env} onValueChange={set('env')} spellCheck={false} className="font-mono text-sm" />
      </Field>
    </>
  )
}

function RemoteFields({ draft, errors, set }: FieldsProps) {
  return (
    <>
      <Field label={t('address')} error={errors.url}>
        <Input value={draft.url} onValueChange={set('url')} placeholder="https://tools.example.org/mcp" mono />
      </Field>
      <Field label={t('key')} hint={t('onlyIfServerAsks')} error={errors.apiKey}>
        <Input type="password" value={draft.apiKey} onValueChange={set('apiKey')} mono />
      </Field>
      {draft.kind === 'shttp' ? (
        <Field label={t('timeOut')} hint={t('sixtyWhenEmpty')} error={errors.timeout}>
          <Input inputMode="numeric" value={draft.timeout} onValueChange={set('timeout')} placeholder="60" />
        </Field>
      ) : null}
    </>
  )
}
