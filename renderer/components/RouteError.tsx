import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { t } from './text.ts'

/** A page that failed while it was drawn; the frame around it goes on. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className="mx-auto w-full max-w-160 p-6">
      <ErrorNotice error={error} onRetry={reset} />
    </div>
  )
}

export function NotFound() {
  return (
    <EmptyState
      title={t('pageNotFound')}
      action={
        <Link to="/" className={buttonClass('secondary')}>
          {t('newConversation')}
        </Link>
      }
    >
      {t('addressMayBeOutdated')}
    </EmptyState>
  )
}
