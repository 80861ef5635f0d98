import { type FormEvent, useState } from 'react'
import { useSaveSettings } from '../../../api/settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { RowList } from '../form/RowList.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

const ABOUT = t('sandboxesReachInternet')

/** Saved at once, one host after the other. */
export function AllowedHosts({ form }: { form: SettingsForm }) {
  const hosts = form.stored?.allowed_hosts ?? []
  const { mutate, isPending, variables } = useSaveSettings()
  const save = (allowed_hosts: string[]) => mutate({ allowed_hosts }, { onError: notifyError })
  const removed = isPending ? hosts.find(host => !variables?.allowed_hosts?.includes(host)) : undefined
  return (
    <Group title={t('hostsThatSandboxesMayReach')} about={ABOUT}>
      <SettingAnchor name="allowed_hosts">
        <RowList
          label={t('hostsThatSandboxesMayReach')}
          empty={hosts.length === 0 ? t('thisMachineAndItsNetwork') : null}
        >
          {hosts.map(host => (
            <li key={host} className="flex items-center gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
              <span className="min-w-0 flex-1 truncate font-mono text-sm">{host}</span>
              <Button
                size="small"
                aria-label={t('removeHost', { host })}
                busy={removed === host}
                onClick={() => save(hosts.filter(each => each !== host))}
              >
                {t('remove')}
              </Button>
            </li>
          ))}
        </RowList>
        <AddHost hosts={hosts} />
      </SettingAnchor>
    </Group>
  )
}

function AddHost({ hosts }: { hosts: readonly string[] }) {
  const [host, setHost] = useState('')
  const { mutate, isPending, error, reset } = useSaveSettings()
  const change = (text: string) => {
    setHost(text)
    reset()
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    mutate({ allowed_hosts: [...hosts, host.trim()] }, { onSuccess: () => setHost('') })
  }
  return (
    <form onSubmit={add} className="mt-3 flex flex-wrap items-start gap-2">
      <Field label={t('host')} hint={t('nameOrAddress')} error={error?.message} className="min-w-60 flex-1">
        <Input mono value={host} placeholder="localhost:8080" onValueChange={change} />
      </Field>
      <Button
        type="submit"
        className="mt-6"
        disabledReason={host.trim() === '' ? t('enterHostFirst') : null}
        busy={isPending}
      >
        {t('allow')}
      </Button>
    </form>
  )
}
