/** What a bound is counted in. */
type BoundUnit = 'bytes' | 'characters' | 'lines' | 'items' | 'steps' | 'levels' | 'milliseconds'

export interface Bound {
  readonly limit: number
  readonly unit: BoundUnit
  /** What is measured, as a noun phrase for `docs/configuration.md`. */
  readonly of: string
  /** What happens beyond it, as a sentence for `docs/configuration.md`. */
  readonly beyond: string
}

export const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB
