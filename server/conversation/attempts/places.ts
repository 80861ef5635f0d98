import { AppError } from '../../domain/errors.ts'

/**
 * Attempts work at the same time, each in a sandbox.
 * @param limit how many sandboxes may run at once; null for any number
 * @throws AppError too_many_sandboxes where so many never can
 */
export function requirePlaces(attempts: number, limit: number | null): void {
  if (limit === null || attempts <= limit) return
  const may = limit === 1 ? 'only one sandbox may run' : `only ${limit} sandboxes may run`
  const remedy = 'or raise "Running sandboxes at most" in Settings › Sandbox (max_running_sandboxes)'
  throw new AppError(
    'too_many_sandboxes',
    `${attempts} attempts need a sandbox each, and ${may} at once. Ask for fewer attempts, ${remedy}.`,
    { details: { limit } },
  )
}
