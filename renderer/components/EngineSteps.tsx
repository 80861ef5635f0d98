import type { EngineStatus } from '../../server/api/v1/system/system.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { ExternalLink } from './ExternalLink.tsx'
import { t } from './text.ts'

type Steps = Extract<EngineStatus, { state: 'unavailable' }>['steps']

/** How to get an engine on this platform, one step a line. */
export function EngineSteps({ steps }: { steps: Steps }) {
  return (
    <ol className="flex list-decimal flex-col gap-2 ps-5 marker:text-faint">
      {steps.map(({ text, command, url }) => (
        <li key={text}>
          {url ? <ExternalLink href={url}>{text}</ExternalLink> : text}
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
