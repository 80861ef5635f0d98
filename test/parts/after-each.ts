import { afterEach } from 'vitest'
import { openServices } from './service/open-services.ts'

/** No run of one test asks the model for the turns of the next one's script. */
afterEach(async () => {
  const results = await Promise.allSettled(
    [...openServices].map(async service => {
      try {
        await service.endRuns()
      } catch (error) {
        // The files after this one, which share its process, have no part in it.
        openServices.delete(service)
        const message = `A service does not end its runs: ${causesOf(error)}. It was opened ${service.openedAt}`
        throw new Error(message, { cause: error })
      }
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
})

/** Down to what the system said. */
function causesOf(error: unknown): string {
  return error instanceof Error ? [String(error), causesOf(error.cause)].filter(Boolean).join(' ← ') : ''
}
