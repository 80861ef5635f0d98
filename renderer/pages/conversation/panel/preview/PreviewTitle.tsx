import { useOpenConversation } from '../../context.ts'
import { CountedTitle } from '../CountedTitle.tsx'
import { t } from '../text.ts'
import { usePorts } from './use-ports.ts'

/** How many ports there are, with a mark for those that came while the tab was not in sight. */
export function PreviewTitle() {
  const { marked } = useOpenConversation().preview
  const { data: ports = [] } = usePorts()
  const isNew = ports.some(({ port }) => marked.includes(port))
  return (
    <>
      <CountedTitle title={t('preview')} amount={ports.length} />
      {isNew && (
        <>
          {' '}
          <span aria-hidden className="inline-block size-1.5 rounded-full bg-accent align-middle" />
          <span className="sr-only">{t('newPorts')}</span>
        </>
      )}
    </>
  )
}
