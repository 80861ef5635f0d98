import type { Turn } from '../fakes/model-server/turn.ts'
import type { Said, Sight } from './sight.ts'

/** What a model without tool calling sees, in the terms of one that has it. */
export function readingText(sight: Sight): Sight {
  let calls = 0
  let answered = 0
  const said = sight.said.flatMap((one): Said[] => {
    if (one.kind === 'assistant') {
      const written = [...one.text.matchAll(/^<function=(\w+)>\n[\s\S]*?^<\/function>$/gm)]
      return written.map(([, name = '']) => ({ kind: 'call', id: `${calls++}`, name, text: '{}' }))
    }
    const [own = '', ...results] = one.text.split(/^EXECUTION RESULT of \[\w+\]:\n/m)
    const words: Said[] = own === '' ? [] : [{ kind: 'user', text: own }]
    return [...results.map((text): Said => ({ kind: 'result', id: `${answered++}`, text })), ...words]
  })
  const results = said.slice(said.findLastIndex(one => one.kind === 'call') + 1)
  const texts = results.flatMap(one => (one.kind === 'result' ? [one.text] : []))
  return { ...sight, said, results: texts, result: texts.at(-1) ?? '' }
}

/** An answer in which the calls are written, and which stops where it was told to. */
export function writingCalls({ toolCalls = [], ...turn }: Turn): Turn {
  const calls = toolCalls.map(({ name, arguments: given }) => {
    if (typeof given === 'string') throw new Error('Arguments that are text can only be sent as a call.')
    const parameters = Object.entries(given).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<parameter=${key}>${text.includes('\n') ? `\n${text}\n` : text}</parameter>\n`
    })
    return `<function=${name}>\n${parameters.join('')}`
  })
  return { ...turn, text: [turn.text ?? 'I go on.', ...calls].join('\n') }
}
