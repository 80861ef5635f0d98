import { describe, expect, test } from 'vitest'
import { rateAction } from '../../server/agent/risk.ts'
import { DANGER_CASES } from './data/danger-cases.ts'
import { DISGUISE_CASES } from './data/disguise-cases.ts'
import { DANGERS, NO_DANGERS } from './data/field-cases.ts'
import { HARMLESS_CASES } from './data/harmless-cases.ts'

const RISK_CASES = [...HARMLESS_CASES, ...DANGER_CASES, ...DISGUISE_CASES]

function rate(command: string) {
  return rateAction({ kind: 'TerminalAction', command, is_input: false, reset: false }, { workingDir: '/workspace' })
}

describe.each(RISK_CASES)('$what is $risk', ({ risk, commands }) => {
  test.each(commands)('%s', command => {
    const rating = rate(command)
    expect(rating, rating.reasons.join('; ')).toMatchObject({ risk })
    expect(rating.reasons.length > 0).toBe(risk !== 'LOW')
  })
})

describe('in the field', () => {
  test.each(DANGERS)('HIGH: %s', command => {
    expect(rate(command).risk).toBe('HIGH')
  })

  test.each(NO_DANGERS)('no alarm: %s', command => {
    const { risk, reasons } = rate(command)
    expect(risk, reasons.join('; ')).not.toBe('HIGH')
  })
})
