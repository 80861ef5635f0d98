const WIDTHS = ['92%', '69%', '84%', '58%', '77%', '89%', '64%', '73%'] as const

/** Lines in the place of what is read; invisible for the first 200 ms, so that quick answers do not flicker. */
export function Skeleton({ lines = 3, label, className = '' }: { lines?: number; label: string; className?: string }) {
  return (
    <div role="status" aria-label={label} className={`flex animate-appear flex-col gap-2 ${className}`}>
      {WIDTHS.slice(0, lines).map(width => (
        <div key={width} className="h-4 animate-breathe rounded-sm bg-hover" style={{ width }} />
      ))}
    </div>
  )
}
