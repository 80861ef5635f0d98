import { AppError } from '../../domain/errors.ts'

/**
 * Attempts work at the same time, each in a sandbox.
 * @param beside how many run beside them that give up no place
 * @param limit how many sandboxes may run at once; null for any number
 * @throws AppError too_many_sandboxes where so many never can
 */
export function requirePlaces(attempts: number, { limit, beside }: { limit: number | null; beside: number }): void {
  if (limit === null || attempts + beside <= limit) return
  const may = limit === 1 ? 'only one sandbox may run' : `only ${limit} sandboxes may run`
  const remedy = 'or raise "Running sandboxes at most" in Settings › Sandbox (max_running_sandboxes)'
  throw new AppError(
    'too_many_sandboxes',
    `${attempts} attempts need a sandbox each${beside > 0 ? ' beside that of the conversation' : ''}, and ${may} at once. Ask for fewer attempts, ${remedy}.`,
    { details: { limit } },
  )
}
