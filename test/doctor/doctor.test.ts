import { describe, expect, test, vi } from 'vitest'
import { diagnosis, diagnosisCheck } from '../../server/api/v1/system/diagnosis.ts'
import type { Check } from '../../server/doctor/check.ts'
import { Doctor } from '../../server/doctor/doctor.ts'
import { createMask } from '../../server/secret/mask/mask.ts'

const signal = new AbortController().signal
const { mask } = createMask(['sk-canary-of-the-model'])

function doctorWith(check: Check): Doctor {
  const checks = Object.fromEntries(diagnosisCheck.options.map(name => [name, check]))
  return new Doctor({ checks: checks as ConstructorParameters<typeof Doctor>[0]['checks'], askModel: check, mask })
}

describe('a check', () => {
  test('that fails, at once or later, is a finding without secrets', async () => {
    const fail = () => {
      throw new Error('no sk-canary-of-the-model\u001b[31m')
    }
    for (const check of [fail, async () => fail()]) {
      const found = diagnosis.parse(await doctorWith(check).run('disk', signal))
      expect(found).toMatchObject({ check: 'disk', state: 'unknown', finding: 'check_failed' })
      expect(JSON.stringify(found)).not.toMatch(/canary|\\u001b/)
    }
  })

  test('that never ends is given up after its limit', async ({ onTestFinished }) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const running = doctorWith(() => new Promise(() => {})).run('engine', signal)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await running).toMatchObject({ state: 'unknown', finding: 'timed_out' })
  })

  test('ends when its caller gives up', async () => {
    const stop = new AbortController()
    const running = doctorWith(() => new Promise(() => {})).run('engine', stop.signal)
    stop.abort()
    await expect(running).rejects.toThrow('aborted')
  })

  test('shows facts of bounded number and length', async () => {
    const facts = Array.from({ length: 99 }, () => ({ name: 'reason' as const, value: 'x'.repeat(10_000) }))
    const found = await doctorWith(async () => ({ state: 'ok', finding: 'disk_free', facts })).run('disk', signal)
    expect(found.facts).toHaveLength(20)
    expect(String(found.facts[0]?.value)).toHaveLength(500)
  })
})
