import type { SandboxSpecInfo } from '../../server/api/v1/sandbox/specs.ts'
import { RadioChoice } from '../ui/field/RadioChoice.tsx'
import { t } from './text.ts'

export interface SpecChoiceProps {
  specs: readonly SandboxSpecInfo[]
  value: string
  onChange: (spec: string) => void
}

/** The sandbox specs, with what a first start with each will take. */
export function SpecChoice({ specs, value, onChange }: SpecChoiceProps) {
  const options = specs.map(spec => ({
    value: spec.id,
    label: spec.title,
    detail: (
      <>
        <span className="block font-mono text-xs break-all">
          {spec.dockerfile === null ? spec.image : t('dockerfile')}
        </span>
        {presence(spec)}
      </>
    ),
  }))
  return <RadioChoice aria-label={t('sandboxSpec')} options={options} value={value} onValueChange={onChange} />
}

function presence({ image_present, dockerfile }: SandboxSpecInfo): string {
  if (image_present === null) return t('engineDoesNotAnswer')
  if (image_present) return t('onThisMachine')
  return dockerfile === null ? t('fetchedAtFirstStart') : t('builtAtFirstStart')
}
