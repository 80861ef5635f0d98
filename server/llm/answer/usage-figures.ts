import { isRecord } from '../../domain/is-record.ts'

type Fetch = typeof globalThis.fetch

/**
 * Answers whose figures of usage are what the SDKs take them for. A server that counts wrongly has answered all the
 * same: to refuse the answer would be to pay for it again.
 */
export function withUsageFigures(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init)
    const type = response.headers.get('content-type') ?? ''
    const { body } = response
    if (!response.ok || !body) return response
    if (/^text\/event-stream\b/i.test(type)) {
      const lines = body.pipeThrough(new TextDecoderStream()).pipeThrough(repairedLines())
      return answered(response, lines.pipeThrough(new TextEncoderStream()))
    }
    return /^application\/json\b/i.test(type) ? answered(response, repairedJson(await response.text())) : response
  }
}

function answered({ status, statusText, headers }: Response, body: BodyInit): Response {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return new Response(body, { status, statusText, headers: kept })
}

function repairedLines(): TransformStream<string, string> {
  let begun: string[] = []
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf('\n') + 1
      if (end > 0) {
        controller.enqueue(repaired(begun.join('') + chunk.slice(0, end)))
        begun = []
      }
      if (end < chunk.length) begun.push(chunk.slice(end))
    },
    flush(controller) {
      if (begun.length > 0) controller.enqueue(repaired(begun.join('')))
    },
  })
}

const NAMES_USAGE = /"usage(?:Metadata)?"/

function repaired(text: string): string {
  if (!NAMES_USAGE.test(text)) return text
  return text
    .split('\n')
    .map(line => {
      const [, prefix, json] = /^(data: ?)(.*)$/.exec(line) ?? []
      return prefix === undefined || json === undefined ? line : prefix + repairedJson(json)
    })
    .join('\n')
}

function repairedJson(text: string): string {
  if (!NAMES_USAGE.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return text
    for (const holder of [value, value.message, value.response].filter(isRecord)) {
      // Beside the answer, and where Anthropic counts at the end, null leaves what was counted before.
      const needsAll = holder !== value
      for (const name of ['usage', 'usageMetadata']) {
        const mayBeNull = !needsAll && value.type !== 'message_delta'
        if (holder[name] === undefined || (holder[name] === null && mayBeNull)) continue
        holder[name] = figuresOf(holder[name], needsAll)
      }
    }
    return JSON.stringify(value)
  } catch {
    return text
  }
}

const COUNT = /tokens$|TokenCount$/i
const DETAILS = /details$/i

function figuresOf(usage: unknown, needsAll: boolean): Record<string, unknown> {
  if (!isRecord(usage)) return { input_tokens: 0, output_tokens: 0 }
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
      if (COUNT.test(name)) return [[name, countOf(value, needsAll || name === 'output_tokens')]]
      if (!DETAILS.test(name)) return [[name, value]]
      return isRecord(value) ? [[name, figuresOf(value, needsAll)]] : []
    }),
  )
}

function countOf(value: unknown, isNeeded: boolean): number | null {
  if (value === null && !isNeeded) return null
  const count = typeof value === 'string' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? count : 0
}
