import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** One JSON value a line, as the engine streams events and progress. A line that is not JSON ends it with an error. */
export async function* jsonLines(source: Readable): AsyncGenerator<unknown> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  for await (const chunk of source) {
    const lines = (text + decoder.write(chunk)).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) yield JSON.parse(line)
  }
  if (text.trim()) yield JSON.parse(text)
}
