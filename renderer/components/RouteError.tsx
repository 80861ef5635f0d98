import { Link } from '@tanstack/react-router'
import { buttonLook } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'

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
      title="There is no such page"
      action={
        <Link to="/" className={buttonLook('secondary')}>
          New conversation
        </Link>
      }
    >
      The address may be from an older version.
    </EmptyState>
  )
}
