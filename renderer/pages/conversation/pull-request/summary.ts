import type { PullRequestStatus } from '../../../../server/api/v1/git/pull-request-status.ts'
import { t } from './text.ts'

export type SummaryTone = 'good' | 'bad' | 'wait' | 'rest'

/** What matters most about a pull request, in a word or two: first what somebody has to do. */
export function summaryOf(status: PullRequestStatus): { word: string; tone: SummaryTone } {
  const { state, merge, reviews, pull_request } = status
  if (state === 'MERGED') return { word: t('merged'), tone: 'good' }
  if (state === 'CLOSED') return { word: t('closed'), tone: 'rest' }
  if (merge === 'CONFLICT') return { word: t('conflict'), tone: 'bad' }
  const failing = countOf(status, 'FAILED')
  if (failing > 0) return { word: t('checksFail', { count: failing }), tone: 'bad' }
  if (reviews.some(review => review.state === 'CHANGES_REQUESTED')) return { word: t('changesRequested'), tone: 'wait' }
  const running = countOf(status, 'PENDING')
  if (running > 0) return { word: t('checksRun', { count: running }), tone: 'rest' }
  if (merge === 'BEHIND') return { word: t('behind'), tone: 'wait' }
  if (pull_request.draft) return { word: t('draft'), tone: 'rest' }
  if (reviews.some(review => review.state === 'APPROVED')) return { word: t('approved'), tone: 'good' }
  if (countOf(status, 'PASSED') > 0) return { word: t('checksPass'), tone: 'good' }
  return { word: t('open'), tone: 'rest' }
}

export function countOf({ checks }: PullRequestStatus, state: PullRequestStatus['checks'][number]['state']): number {
  return checks.filter(check => check.state === state).length
}

/** Whether it can be merged, or what became of it; null when the provider does not say. */
export function mergeSentence({ state, merge, pull_request: { base } }: PullRequestStatus): string | null {
  if (state === 'MERGED') return t('isMerged')
  if (state === 'CLOSED') return t('isClosed')
  switch (merge) {
    case 'READY':
      return t('mergeReady')
    case 'CONFLICT':
      return t('mergeConflict', { base })
    case 'BEHIND':
      return t('mergeBehind', { base })
    case 'BLOCKED':
      return t('mergeBlocked')
    case 'CHECKING':
      return t('mergeChecking')
    case null:
      return null
  }
}
