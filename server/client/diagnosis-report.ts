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
  /** Of engines that were added, by their ids. */
  engineNames: ReadonlyMap<string, string>
}

/** What was found as text for other people, in English whatever the language of the window is. */
export function diagnosisReport(
  found: readonly Diagnosis[],
  { version, platform, at, engineNames }: ReportSource,
): string {
  const lines = found.flatMap(each => diagnosisLines(each, engineNames))
  return [`Atelier ${version} on ${platform}, ${at.toISOString()}`, ...lines].join('\n')
}

/** One check: what was found, what it saw, what to do. */
export function diagnosisLines(
  { check, engine_id, state, message, facts, steps }: Diagnosis,
  engineNames: ReadonlyMap<string, string>,
): string[] {
  const name = engine_id === null ? undefined : engineNames.get(engine_id)
  return [
    `${SIGNS[state]} ${name === undefined ? '' : `${name} › `}${DIAGNOSIS_CHECKS[check]}: ${message}`,
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
