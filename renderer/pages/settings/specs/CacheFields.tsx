import { CACHE_NAMES, type SandboxCache } from '../../../../server/api/v1/sandbox/caches.ts'
import { Checkbox } from '../../../ui/field/Checkbox.tsx'
import { t } from './text.ts'

export interface CacheFieldsProps {
  caches: readonly SandboxCache[]
  onChange: (caches: SandboxCache[]) => void
}

/** What the sandboxes of the spec share of downloads. */
export function CacheFields({ caches, onChange }: CacheFieldsProps) {
  const toggle = (name: SandboxCache, isOn: boolean) =>
    onChange(CACHE_NAMES.filter(each => (each === name ? isOn : caches.includes(each))))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('sharedCaches')}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {CACHE_NAMES.map(name => (
          <Checkbox key={name} checked={caches.includes(name)} onCheckedChange={isOn => toggle(name, isOn)}>
            {name}
          </Checkbox>
        ))}
      </div>
      <p className="mt-1 text-faint text-sm">{t('whatSharedCachesAre')}</p>
    </fieldset>
  )
}
