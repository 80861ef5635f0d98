import type { Diagnosis, DiagnosisFact } from '../api/v1/system/diagnosis.ts'
import { DIAGNOSIS_CHECKS, DIAGNOSIS_FACTS, FACT_UNITS } from '../api/v1/system/diagnosis-words.ts'

const SIGNS: Readonly<Record<Diagnosis['state'], string>> = {
  ok: '✓',
  warning: '!',
  problem: '✗',
  unknown: '?',
  skipped: '-',
}

export interface ReportSource {
  /** Of Atelier. */
  version: string
  platform: string
  at: Date
}

/** What was found as text for other people, in English whatever the language of the window is. */
export function diagnosisReport(found: readonly Diagnosis[], { version, platform, at }: ReportSource): string {
  return [`Atelier ${version} on ${platform}, ${at.toISOString()}`, ...found.flatMap(diagnosisLines)].join('\n')
}

/** One check: what was found, what it saw, what to do. */
export function diagnosisLines({ check, state, message, facts, steps }: Diagnosis): string[] {
  return [
    `${SIGNS[state]} ${DIAGNOSIS_CHECKS[check]}: ${message}`,
    ...facts.map(fact => `    ${DIAGNOSIS_FACTS[fact.name]}: ${factText(fact)}`),
    ...steps.map(({ text, command, url }) => `    → ${[text, command, url].filter(Boolean).join(' ')}`),
  ]
}

function factText({ name, value }: DiagnosisFact): string {
  const unit = FACT_UNITS[name]
  switch (unit) {
    case 'bytes':
      return `${(Number(value) / 1e9).toFixed(1)} GB`
    case 'milliseconds':
      return `${value} ms`
    case 'seconds':
      return `${value} s`
    default:
      return String(value)
  }
}
