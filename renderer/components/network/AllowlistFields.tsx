import { ALLOWLIST_PRESETS, type AllowlistPreset, PRESET_HOSTS } from '../../../server/api/network-policy.ts'
import type { NetworkPolicyInfo } from '../../../server/api/v1/sandbox/network.ts'
import type { PolicyEdit } from '../../state/network/policy.ts'
import { t } from '../../state/network/text.ts'
import { PRESET_WORDS } from '../../state/network/words.ts'
import { Switch } from '../../ui/field/Switch.tsx'
import { HostList } from './HostList.tsx'

export interface AllowlistFieldsProps {
  allowlist: NetworkPolicyInfo['allowlist']
  onEdit: (edit: PolicyEdit) => void
  fixedReason: string | null
  isDraft: boolean
}

/** Groups of hosts that are switched on, and hosts of one's own. */
export function AllowlistFields({ allowlist, onEdit, fixedReason, isDraft }: AllowlistFieldsProps) {
  const { presets, hosts } = allowlist
  return (
    <div className="relative flex flex-col gap-3">
      <ul aria-label={t('groupsOfHosts')} className="divide-y divide-line rounded-md border border-line">
        {ALLOWLIST_PRESETS.map(preset => (
          <Preset
            key={preset}
            preset={preset}
            isOn={presets.includes(preset)}
            disabled={fixedReason !== null}
            onSwitch={isOn => onEdit({ kind: 'preset', preset, isOn })}
          />
        ))}
      </ul>
      <HostList hosts={hosts} fixedReason={fixedReason} isDraft={isDraft} onEdit={onEdit} />
      {presets.length === 0 && hosts.length === 0 && <p className="text-sm text-wait">{t('listIsEmpty')}</p>}
    </div>
  )
}

interface PresetProps {
  preset: AllowlistPreset
  isOn: boolean
  disabled: boolean
  onSwitch: (isOn: boolean) => void
}

function Preset({ preset, isOn, disabled, onSwitch }: PresetProps) {
  const { label, detail } = PRESET_WORDS[preset]
  const hosts = PRESET_HOSTS[preset]
  return (
    <li className="px-2.5 py-2">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0">
          <span className="block">{label}</span>
          <span className="block text-faint text-sm">{detail}</span>
        </span>
        <span className="mt-0.5 flex">
          <Switch aria-label={label} checked={isOn} disabled={disabled} onCheckedChange={onSwitch} />
        </span>
      </div>
      <details className="mt-1 text-sm">
        <summary className="w-fit cursor-default rounded-sm text-soft hover:text-ink">
          <span className="sr-only">{label}: </span>
          {t('hostCount', { count: hosts.length })}
        </summary>
        <ul
          aria-label={t('hostsOfGroup', { group: label })}
          className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-3 font-mono text-soft text-xs leading-5"
        >
          {hosts.map(host => (
            <li key={host} className="break-all">
              <bdi dir="ltr">{host}</bdi>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
