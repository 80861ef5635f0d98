import type { FaultKind } from './plan.ts'

export interface Recovery {
  kind: FaultKind
  /** Milliseconds from the healing of the fault until everything that it met went on; null when it never did. */
  milliseconds: number | null
  /** What did not hold after it. */
  problems: number
}

export interface ReportRow {
  [column: string]: string | number
}

/** One row for each kind of fault and one for all; times in seconds. */
export function reportRows(recoveries: readonly Recovery[]): ReportRow[] {
  const kinds = [...new Set(recoveries.map(({ kind }) => kind))].sort()
  const rows = kinds.map(kind =>
    rowOf(
      kind,
      recoveries.filter(one => one.kind === kind),
    ),
  )
  return [...rows, rowOf('all', recoveries)]
}

function rowOf(fault: string, recoveries: readonly Recovery[]): ReportRow {
  const times = recoveries.flatMap(({ milliseconds }) => milliseconds ?? []).sort((one, other) => one - other)
  const seconds = (share: number) => (percentile(times, share) / 1000).toFixed(1)
  return {
    fault,
    faults: recoveries.length,
    'with a loss': recoveries.filter(({ problems, milliseconds }) => problems > 0 || milliseconds === null).length,
    'recovery p50 s': seconds(0.5),
    'p95 s': seconds(0.95),
    'max s': seconds(1),
  }
}

/** @param sorted ascending; 0 when it is empty */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
