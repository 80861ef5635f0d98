import type { Step } from '../../../server/api/v1/system/system.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ExternalLink } from '../ExternalLink.tsx'
import { t } from '../text.ts'
import { STEP_WORDS } from './words.ts'

/** What a person does on this platform, one step a line. */
export function EngineSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="flex list-decimal flex-col gap-2 ps-5 marker:text-faint">
      {steps.map(({ code, command, url }) => (
        <li key={`${code} ${command}`}>
          {url ? <ExternalLink href={url}>{STEP_WORDS[code]}</ExternalLink> : STEP_WORDS[code]}
          {command ? (
            <span className="mt-1 flex items-center gap-1 rounded-md bg-sunken py-0.5 pe-0.5 ps-2">
              <code className="min-w-0 flex-1 overflow-x-auto font-mono text-sm whitespace-nowrap">{command}</code>
              <CopyButton text={command} label={t('copyCommand')} />
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
