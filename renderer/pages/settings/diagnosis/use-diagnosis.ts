import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DiagnosisCheck, diagnosisCheck, ENGINE_CHECKS } from '../../../../server/api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE, type EngineEntry } from '../../../../server/api/v1/system/engines.ts'
import { keys } from '../../../api/query-keys.ts'
import { enginesQuery } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import { checkQuery } from '../../../api/system/diagnosis.ts'

interface Asked {
  check: DiagnosisCheck
  /** Of the engine that an engine's own check looks at. */
  engineId: string
}

const FIRST: readonly Asked[] = diagnosisCheck.options.map(check => ({ check, engineId: DEFAULT_ENGINE }))

/** All checks side by side, once a person has asked for them: also those of each engine that was added. */
export function useDiagnosis() {
  const client = useClient()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(false)
  const { data: engines = [] } = useQuery(enginesQuery(client))
  const added = engines.filter(({ is_default }) => !is_default)
  const all = [...FIRST, ...added.flatMap(checksOf)]
  const checks = useQueries({
    queries: all.map(({ check, engineId }) => ({ ...checkQuery(client, check, engineId), enabled: asked })),
  })
  const rows = all.map((each, index) => {
    const { data = null, error = null, isFetching = false } = checks[index] ?? {}
    return { ...each, found: data, error, isChecking: isFetching }
  })
  return {
    asked,
    rows,
    added,
    found: rows.flatMap(row => row.found ?? []),
    // The banner of a crash asks one of them by itself.
    isRunning: asked && rows.some(row => row.isChecking),
    run: () => {
      setAsked(true)
      void queryClient.resetQueries({ queryKey: keys.diagnoses })
    },
    runOne: ({ check, engineId }: Asked) =>
      void queryClient.resetQueries({ queryKey: keys.diagnosis(check, engineId) }),
    stop: () => void queryClient.cancelQueries({ queryKey: keys.diagnoses }),
  }
}

export type DiagnosisRow = ReturnType<typeof useDiagnosis>['rows'][number]

function checksOf({ id }: EngineEntry): Asked[] {
  return ENGINE_CHECKS.map(check => ({ check, engineId: id }))
}
