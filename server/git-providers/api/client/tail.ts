const TAIL_BYTES = 256 * 1024

/** The last 256 KiB of a long body, which is read whole. */
export async function endOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let end = Buffer.alloc(0)
  for await (const chunk of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    end = Buffer.concat([end, chunk])
    if (end.length > 2 * TAIL_BYTES) end = end.subarray(-TAIL_BYTES)
  }
  return end.subarray(-TAIL_BYTES).toString()
}
