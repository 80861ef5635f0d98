import type { SpecBuild } from '../../../../server/api/v1/sandbox/builds.ts'
import { buildSteps } from '../../../state/settings/build-steps.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { t } from './text.ts'

export interface BuildPanelProps {
  title: string
  /** Somebody has just done what makes it show, perhaps at the foot of the page. */
  asked: boolean
  build: SpecBuild | undefined
  /** Why the last click did nothing. */
  error: Error | null
  cancelling: boolean
  onCancel: () => void
  onEdit: () => void
}

/** How far a build is, why it failed, and what it printed. */
export function BuildPanel({ title, asked, build, error, cancelling, onCancel, onEdit }: BuildPanelProps) {
  return (
    <section
      ref={asked ? showNow : null}
      aria-label={t('buildOfTitle', { title })}
      className="flex w-full flex-col gap-2 py-1 pe-1"
    >
      {error && <ErrorNotice error={error} />}
      {build?.state === 'building' && (
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <p className="truncate font-mono text-soft text-sm" dir="ltr" title={build.step ?? undefined}>
              {build.step}
            </p>
            <Progress label={t('buildOfTitle', { title })} value={buildSteps(build.step)} className="mt-1" />
          </div>
          <Button size="small" busy={cancelling} onClick={onCancel}>
            {t('cancelBuild')}
          </Button>
        </div>
      )}
      {build?.state === 'failed' && build.error !== null && (
        <Notice what={build.error} meaning={t('changeDockerfileThenBuild')}>
          <Button size="small" onClick={onEdit}>
            {t('editDockerfile')}
          </Button>
        </Notice>
      )}
      {build && build.log.length > 0 && <Log title={title} lines={build.log} />}
    </section>
  )
}

/** Its log is still to come, and needs room below. */
function showNow(panel: HTMLElement | null): void {
  panel?.scrollIntoView({ block: 'center' })
}

/** Stays at its newest line, unless somebody scrolls up: what is laid out from the end does so by itself. */
function Log({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div
      role="log"
      aria-label={t('logOfTitle', { title })}
      // The step is enough to hear; every line would be too much.
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-64 flex-col-reverse overflow-auto rounded-md border border-line bg-sunken px-3 py-2"
    >
      <pre dir="ltr" className="whitespace-pre-wrap font-mono text-sm leading-[18px] [overflow-wrap:anywhere]">
        {lines.join('\n')}
      </pre>
    </div>
  )
}
