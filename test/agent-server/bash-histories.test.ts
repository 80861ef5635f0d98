import { describe, expect, it } from 'vitest'
import { BashHistories } from '../../server/agent-server/workspace/histories.ts'
import type { BashOutput } from '../../server/api/agent-server/bash.ts'
import { Bus } from '../../server/bus.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'

const MIB = 2 ** 20

function setUp() {
  const bus = new Bus()
  const present = new Set(['a', 'b', 'c'])
  const asked: Promise<unknown>[] = []
  const batch = (ids: readonly string[]) => {
    const reply = Promise.resolve(ids.map(id => (present.has(id) ? { id } : null)))
    asked.push(reply)
    return reply
  }
  const histories = new BashHistories({ bus, batch })
  return { bus, present, histories, settled: () => Promise.all(asked) }
}

function output(id: string, characters: number): BashOutput {
  const stdout = 'x'.repeat(characters)
  return { kind: 'BashOutput', id, timestamp: '', command_id: 'c', order: 0, exit_code: 0, stdout, stderr: null }
}

describe('histories of client commands', () => {
  it('grow for ever in sandboxes that come and go: they are released with the sandbox', async () => {
    const { bus, present, histories, settled } = setUp()
    histories.of('a').add(output('1', 5 * MIB))
    histories.of('b').add(output('2', MIB))
    present.delete('a')
    for (const id of ['a', 'b', 'c']) bus.publish({ resource: 'sandbox', id })
    await settled()
    expect(histories.size).toBe(MIB)
    expect(histories.of('a').batch(['1'])).toEqual([null])
    expect(histories.of('b').batch(['2'])).not.toEqual([null])
  })

  it('many sandboxes that each stay below their bound stay below one for all together', () => {
    const { histories } = setUp()
    for (const id of ['a', 'b', 'c', 'd']) {
      for (let part = 0; part < 30; part++) histories.of(id).add(output(`${id}${part}`, MIB))
    }
    expect(histories.size).toBeLessThanOrEqual(BOUNDS.bashHistories.limit)
    expect(histories.of('d').batch(['d0'])).not.toEqual([null])
    expect(histories.of('a').batch(['a29'])).toEqual([null])
  })

  it('a page of a hundred large outputs ends early and the next one goes on, to the last', () => {
    const { histories } = setUp()
    const history = histories.of('a')
    for (let part = 0; part < 20; part++) history.add(output(String(part), MIB))
    for (const sort_order of ['TIMESTAMP', 'TIMESTAMP_DESC'] as const) {
      const seen: string[] = []
      let page_id: string | null = null
      do {
        const page = history.search({ sort_order, page_id, limit: 100 })
        expect(JSON.stringify(page.items).length).toBeLessThan(BOUNDS.page.limit * 1.01)
        seen.push(...page.items.map(({ id }) => id))
        page_id = page.next_page_id
      } while (page_id !== null)
      const all = Array.from({ length: 20 }, (_, part) => String(part))
      expect(seen).toEqual(sort_order === 'TIMESTAMP' ? all : all.reverse())
    }
  })

  it('the same large output, asked for a thousand times at once, is refused', () => {
    const { histories } = setUp()
    histories.of('a').add(output('1', MIB))
    expect(() => histories.of('a').batch(Array.from({ length: 1000 }, () => '1'))).toThrow('fewer ids')
  })
})
