import { X } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { PolicyEdit } from '../../state/network/policy.ts'
import { t } from '../../state/network/text.ts'
import { IconButton } from '../../ui/Button.tsx'
import { HostField } from './HostField.tsx'

export interface HostListProps {
  hosts: readonly string[]
  onEdit: (edit: PolicyEdit) => void
  fixedReason: string | null
  isDraft: boolean
}

/** The hosts of one's own, and the field that adds more. */
export function HostList({ hosts, onEdit, fixedReason, isDraft }: HostListProps) {
  function remove(host: string, { currentTarget }: MouseEvent<HTMLElement>) {
    focusNeighbour(currentTarget)
    onEdit({ kind: 'remove', hosts: [host] })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium">{t('ownHosts')}</legend>
      {hosts.length > 0 && (
        <ul aria-label={t('ownHosts')} className="max-h-60 overflow-y-auto rounded-md border border-line">
          {hosts.map(host => (
            <li
              key={host}
              className="flex items-center justify-between gap-2 border-line border-b py-0.5 ps-2.5 pe-1 last:border-b-0"
            >
              <bdi dir="ltr" className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
                {host}
              </bdi>
              <IconButton
                size="small"
                label={t('removeHost', { host })}
                icon={<X size={13} aria-hidden />}
                disabledReason={fixedReason}
                onClick={event => remove(host, event)}
              />
            </li>
          ))}
        </ul>
      )}
      <HostField
        listed={hosts}
        fixedReason={fixedReason}
        isDraft={isDraft}
        onAdd={added => onEdit({ kind: 'add', hosts: added })}
      />
    </fieldset>
  )
}

/** Who removes several by keyboard stays in the list, and of an empty one goes to the field below it. */
function focusNeighbour(button: HTMLElement): void {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  const target = next?.querySelector('button') ?? button.closest('fieldset')?.querySelector('input')
  target?.focus()
}
