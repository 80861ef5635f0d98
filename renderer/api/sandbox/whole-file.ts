export interface Transfer {
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

/** So much is on its way at a time; what came before is the browser's, which keeps it on its disk where it is long. */
const PART_BYTES = 16 * 2 ** 20

/** A file as it comes, until it is whole. */
export async function wholeOf(body: Response['body'], onProgress: Transfer['onProgress'], type: string): Promise<Blob> {
  const reader = body?.getReader()
  const whole: Blob[] = []
  let part: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let partBytes = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    part.push(new Uint8Array(next.value))
    partBytes += next.value.length
    bytes += next.value.length
    onProgress(bytes)
    if (partBytes < PART_BYTES) continue
    whole.push(new Blob(part))
    part = []
    partBytes = 0
  }
  return new Blob([...whole, ...part], { type })
}
