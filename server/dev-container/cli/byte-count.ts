/** Of what is written: text, bytes, or several of them. What is neither counts nothing. */
export function byteCount(content: unknown): number {
  if (typeof content === 'string') return Buffer.byteLength(content)
  if (ArrayBuffer.isView(content)) return content.byteLength
  return Array.isArray(content) ? content.reduce((sum: number, each) => sum + byteCount(each), 0) : 0
}
