import { describe, expect, test } from 'vitest'
import { rateAction } from '../../server/agent/risk.ts'
import { RISK_CASES } from './data/risk-cases.ts'

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
