import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { SandboxSpecInfo } from '../../server/api/v1/sandbox/specs.ts'
import { t } from './text.ts'

export interface SpecChoiceProps {
  specs: readonly SandboxSpecInfo[]
  value: string
  onChange: (spec: string) => void
}

/** The sandbox specs, with what a first start with each will take. */
export function SpecChoice({ specs, value, onChange }: SpecChoiceProps) {
  return (
    <RadioGroup
      aria-label={t('sandboxSpec')}
      value={value}
      onValueChange={next => onChange(String(next))}
      className="-mx-1 flex flex-col gap-0.5"
    >
      {specs.map(spec => (
        <Radio.Root
          key={spec.id}
          value={spec.id}
          className="group flex items-start gap-2 rounded-sm px-2 py-1.5 text-left hover:bg-hover"
        >
          <span className="mt-1 flex size-3.5 shrink-0 items-center justify-center rounded-full border border-edge group-data-checked:border-accent">
            <Radio.Indicator className="size-2 rounded-full bg-accent" />
          </span>
          <span className="min-w-0">
            <span className="block">{spec.title}</span>
            <span className="block font-mono text-xs break-all text-faint">{spec.image}</span>
            <span className="block text-sm text-faint">{presence(spec)}</span>
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}

function presence({ image_present }: SandboxSpecInfo): string {
  if (image_present === null) return t('engineDoesNotAnswer')
  return image_present ? t('onThisMachine') : t('fetchedAtFirstStart')
}
