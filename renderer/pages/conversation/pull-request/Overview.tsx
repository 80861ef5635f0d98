import type { PullRequestStatus } from '../../../../server/api/v1/git/pull-request-status.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { mergeSentence } from './summary.ts'
import { t } from './text.ts'

export function Overview({ status }: { status: PullRequestStatus }) {
  const { pull_request, branch } = status
  const { title, number, url, draft, base } = pull_request
  const sentence = mergeSentence(status)
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline gap-2">
        <p className="min-w-0 flex-1 font-medium wrap-break-word">{title}</p>
        {draft && <Badge>{t('draft')}</Badge>}
        <span className="shrink-0">
          <ExternalLink href={url}>{t('number', { number: String(number) })}</ExternalLink>
        </span>
      </div>
      <p className="truncate font-mono text-faint text-sm" title={t('branches', { branch, base })}>
        {t('branches', { branch, base })}
      </p>
      {sentence && <p className="text-soft text-sm">{sentence}</p>}
    </div>
  )
}
