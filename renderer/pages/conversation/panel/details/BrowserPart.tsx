import { useQuery } from '@tanstack/react-query'
import type { BrowserState } from '../../../../../server/api/v1/conversation/browser.ts'
import { browserQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { useOpenConversation } from '../../context.ts'
import { Entry } from '../Entry.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'

/** The browser of the agent: what is open in it, or how to get one. */
export function BrowserPart() {
  const { id } = useOpenConversation()
  const { data } = useQuery(browserQuery(useClient(), id))
  if (!data || data.state === 'unknown') return null
  return (
    <Section title={t('browser')}>
      <BrowserLines browser={data} />
    </Section>
  )
}

export function BrowserLines({ browser }: { browser: Exclude<BrowserState, { state: 'unknown' }> }) {
  if (browser.state === 'missing') return <HowToGetOne install={browser.install} />
  return (
    <>
      <Entry name={t('state')}>{browser.state === 'running' ? t('open') : t('browserReady')}</Entry>
      <Entry name={t('program')}>
        {browser.executable} {browser.version}
      </Entry>
      {browser.state === 'running' && (
        <ul aria-label={t('tabs')} className="mt-1 rounded-md border border-line text-sm">
          {browser.tabs.map(tab => (
            <li key={tab.id} className="flex items-center gap-2 border-line border-b px-2 py-1 last:border-b-0">
              <span className="min-w-0 flex-1 truncate" title={tab.url}>
                {tab.title || tab.url} <span className="text-faint">{tab.title && tab.url}</span>
              </span>
              {tab.current && <Badge tone="accent">{t('current')}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The image is the user's own choice: it is said what to add to it, and nothing is installed unasked. */
function HowToGetOne({ install }: { install: string | null }) {
  return (
    <div className="flex flex-col gap-1 text-soft">
      <p>{t('imageHasNoBrowser')}</p>
      {install === null ? (
        <p>{t('noBrowserPackage')}</p>
      ) : (
        <>
          <p>{t('addThisToImage')}</p>
          <p className="flex items-start gap-1">
            <code className="min-w-0 flex-1 break-words text-sm">{install}</code>
            <CopyButton text={install} label={t('copyCommand')} />
          </p>
        </>
      )}
    </div>
  )
}
