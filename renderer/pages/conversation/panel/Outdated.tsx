import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'

interface OutdatedProps {
  list: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** Over what stands there still, though it could not be read again. */
export function Outdated({ list: { data, error, isFetching, refetch } }: OutdatedProps) {
  if (!error || data === undefined) return null
  return (
    <div className="px-4 py-3">
      <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
    </div>
  )
}
