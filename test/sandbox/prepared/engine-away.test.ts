import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { it } from '../../fixtures/base.ts'
import { until } from '../parts.ts'
import { output, startAway, untilOther, untilPrepared } from './parts.ts'

describe('an engine that goes away', () => {
  it('takes them along, and when it is back there is a new one', async () => {
    const { proxy, parts } = await startAway()
    parts.prepare(1)
    const [before = ''] = await untilPrepared(parts, 1)
    await proxy.down()
    await until(parts.bus, () => (parts.connection.status().state === 'unavailable' ? true : undefined))
    await proxy.up()
    const next = await untilOther(parts, before)
    expect((await parts.sandboxes.start()).id).toBe(next)
    await parts.close()
    await proxy.down()
  })

  it('while one is taken, is waited for as by any start', async () => {
    const { proxy, parts } = await startAway()
    parts.prepare(1)
    const [prepared] = await untilPrepared(parts, 1)
    proxy.lateness = path => (path.endsWith(`/containers/${prepared}/json`) || path.includes('/images/') ? 400 : 0)
    const { id } = await parts.sandboxes.create()
    expect(id).toBe(prepared)
    await delay(100)
    await proxy.down()
    await until(parts.bus, () => (parts.connection.status().state === 'unavailable' ? true : undefined))
    expect((await parts.sandboxes.get(id)).status).toBe('STARTING')
    proxy.lateness = () => 0
    await proxy.up()
    expect((await parts.sandboxes.waitUntilRunning(id)).status).toBe('RUNNING')
    expect(await output(parts, id, 'echo works')).toBe('works\n')
    await parts.close()
    await proxy.down()
  })
})
