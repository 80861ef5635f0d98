import { FolderOpen, Plus, X } from 'lucide-react'
import type { MountDraft, SpecErrors } from '../../../state/settings/spec-draft.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { t } from './text.ts'

export interface MountFieldsProps {
  mounts: readonly MountDraft[]
  errors: SpecErrors['mounts']
  /** What is wrong with all of them together. */
  error: string | undefined
  onChange: (mounts: readonly MountDraft[]) => void
}

/** Folders of this machine that the sandbox sees. */
export function MountFields({ mounts, errors, error, onChange }: MountFieldsProps) {
  function add() {
    const key = 1 + Math.max(-1, ...mounts.map(mount => mount.key))
    onChange([...mounts, { key, hostPath: '', containerPath: '', mode: 'ro' }])
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{t('foldersOfThisMachine')}</legend>
      {mounts.length === 0 && <p className="text-faint text-sm">{t('sandboxSeesNone')}</p>}
      {mounts.map(mount => (
        <Mount
          key={mount.key}
          mount={mount}
          errors={errors[mount.key] ?? {}}
          onChange={changed => onChange(mounts.map(one => (one === mount ? changed : one)))}
          onRemove={() => onChange(mounts.filter(one => one !== mount))}
        />
      ))}
      {error && <p className="text-bad text-sm">{error}</p>}
      <Button size="small" className="self-start" icon={<Plus size={13} aria-hidden />} onClick={add}>
        {t('addFolder')}
      </Button>
    </fieldset>
  )
}

interface MountProps {
  mount: MountDraft
  errors: SpecErrors['mounts'][number]
  onChange: (mount: MountDraft) => void
  onRemove: () => void
}

const MODES = [
  { value: 'ro', label: t('readOnly') },
  { value: 'rw', label: t('readAndWrite') },
] as const

function Mount({ mount, errors, onChange, onRemove }: MountProps) {
  async function choose() {
    const folder = await window.atelier?.chooseFolder()
    if (folder) onChange({ ...mount, hostPath: folder })
  }
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-2">
      <Field label={t('folder')} error={errors.hostPath}>
        <div className="flex gap-1">
          <Input
            value={mount.hostPath}
            onValueChange={hostPath => onChange({ ...mount, hostPath })}
            placeholder="/home/me/data"
            mono
          />
          {window.atelier && (
            <IconButton
              label={t('chooseFolder')}
              icon={<FolderOpen size={14} aria-hidden />}
              className="size-8!"
              onClick={() => void choose()}
            />
          )}
          <IconButton
            label={t('removeThisFolder')}
            icon={<X size={14} aria-hidden />}
            className="size-8!"
            onClick={onRemove}
          />
        </div>
      </Field>
      <div className="grid grid-cols-[1fr_140px] gap-2">
        <Field label={t('inSandbox')} error={errors.containerPath}>
          <Input
            value={mount.containerPath}
            onValueChange={containerPath => onChange({ ...mount, containerPath })}
            placeholder="/data"
            mono
          />
        </Field>
        <Field label={t('access')}>
          <Select value={mount.mode} options={MODES} onValueChange={mode => onChange({ ...mount, mode })} />
        </Field>
      </div>
    </div>
  )
}
