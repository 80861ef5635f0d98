import type { Diagnosis, DiagnosisAction, DiagnosisFact, DiagnosisFinding } from '../api/v1/system/diagnosis.ts'

export interface Found {
  state: Diagnosis['state']
  finding: DiagnosisFinding
  facts?: DiagnosisFact[]
  action?: DiagnosisAction
  steps?: Diagnosis['steps']
}

/** Looks once. What it rejects with becomes a finding too. */
export type Check = (signal: AbortSignal) => Promise<Found>

type FactName = DiagnosisFact['name']

/** Those that have a value, in this order. */
export function factsOf(values: Partial<Record<FactName, string | number | null | undefined>>): DiagnosisFact[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ name: name as FactName, value }],
  )
}
