/** A service that a test file has open. */
export interface OpenService {
  /** Calls that led to it, a line each. */
  openedAt: string
  /** Cancels what is starting and stops who works; resolves when nobody asks the model any more. */
  endRuns(): Promise<void>
}

export const openServices = new Set<OpenService>()
