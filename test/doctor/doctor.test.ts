import { describe, expect, test, vi } from 'vitest'
import { type DiagnosisCheck, diagnosis, diagnosisCheck } from '../../server/api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE } from '../../server/api/v1/system/engines.ts'
import type { Check } from '../../server/doctor/check.ts'
import { Doctor } from '../../server/doctor/doctor.ts'
import { AppError } from '../../server/domain/errors.ts'
import { createMask } from '../../server/secret/mask/mask.ts'

const asked = { engineId: DEFAULT_ENGINE, signal: new AbortController().signal }
const { mask } = createMask(['sk-canary-of-the-model'])

function doctorWith(check: Check): Doctor {
  const checks = Object.fromEntries(diagnosisCheck.options.map(name => [name, check])) as Record<DiagnosisCheck, Check>
  const engineChecks = (id: string) => {
    if (id === DEFAULT_ENGINE) return checks
    throw new AppError('not_found', 'There is no such engine.')
  }
  return new Doctor({ checks, engineChecks, askModel: check, mask })
}

describe('a check', () => {
  test('that fails, at once or later, is a finding without secrets', async () => {
    const fail = () => {
      throw new Error('no sk-canary-of-the-model\u001b[31m')
    }
    for (const check of [fail, async () => fail()]) {
      const found = diagnosis.parse(await doctorWith(check).run('disk', asked))
      expect(found).toMatchObject({ check: 'disk', state: 'unknown', finding: 'check_failed' })
      expect(JSON.stringify(found)).not.toMatch(/canary|\\u001b/)
    }
  })

  test('that never ends is given up after its limit', async ({ onTestFinished }) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const running = doctorWith(() => new Promise(() => {})).run('engine', asked)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await running).toMatchObject({ state: 'unknown', finding: 'timed_out' })
  })

  test('ends when its caller gives up', async () => {
    const stop = new AbortController()
    const running = doctorWith(() => new Promise(() => {})).run('engine', { ...asked, signal: stop.signal })
    stop.abort()
    await expect(running).rejects.toThrow('aborted')
  })

  test('of an engine looks at the one that is asked about, and of the rest at none', async () => {
    const look = doctorWith(async () => ({ state: 'warning', finding: 'storage_driver_slow' }))
    expect(await look.run('engine_storage', asked)).toMatchObject({
      engine_id: DEFAULT_ENGINE,
      steps: [{ code: 'choose_storage_driver' }],
    })
    const other = { ...asked, engineId: 'other' }
    expect(await look.run('keychain', other)).toMatchObject({ engine_id: null })
    await expect(look.run('clock', other)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('shows facts of bounded number and length', async () => {
    const facts = Array.from({ length: 99 }, () => ({ name: 'reason' as const, value: 'x'.repeat(10_000) }))
    const found = await doctorWith(async () => ({ state: 'ok', finding: 'disk_free', facts })).run('disk', asked)
    expect(found.facts).toHaveLength(20)
    expect(String(found.facts[0]?.value)).toHaveLength(500)
  })
})
