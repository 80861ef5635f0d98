/** Of a sandbox since its start: how many of its processes the kernel has ended for want of memory. */
export interface MemoryKills {
  count: number
  /** null where it has no limit, or none that can be read. */
  limitBytes: number | null
}

/** What happened, for whoever reads the output of a command. */
export function ranOutOfMemory({ limitBytes }: Pick<MemoryKills, 'limitBytes'>): string {
  const limit = limitBytes === null ? '' : ` (its limit is ${memoryWords(limitBytes)})`
  return `The sandbox ran out of memory${limit}, and the kernel ended a process in it.`
}

/** What an agent can do about it. */
export const USE_LESS_MEMORY =
  'Use less, for example with fewer jobs at a time, or ask for a sandbox with a larger limit.'

function memoryWords(bytes: number): string {
  const inGigabytes = Number((bytes / 2 ** 30).toFixed(1))
  return inGigabytes < 1 ? `${Math.round(bytes / 2 ** 20)} MB` : `${inGigabytes} GB`
}
