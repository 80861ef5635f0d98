import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { diagnosisCheck } from '../../../../server/api/v1/system/diagnosis.ts'
import { keys } from '../../../api/query-keys.ts'
import { useClient } from '../../../api/session.ts'
import { checkQuery } from '../../../api/system/diagnosis.ts'

const CHECKS = diagnosisCheck.options

/** All checks side by side, once a person has asked for them. */
export function useDiagnosis() {
  const client = useClient()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(false)
  const checks = useQueries({ queries: CHECKS.map(check => ({ ...checkQuery(client, check), enabled: asked })) })
  const rows = CHECKS.map((check, index) => {
    const { data = null, error = null, isFetching = false } = checks[index] ?? {}
    return { check, found: data, error, isChecking: isFetching }
  })
  const found = rows.flatMap(row => row.found ?? [])
  return {
    asked,
    rows,
    found,
    isRunning: rows.some(row => row.isChecking),
    run: () => {
      setAsked(true)
      void queryClient.resetQueries({ queryKey: keys.diagnoses })
    },
    runOne: (check: (typeof CHECKS)[number]) => void queryClient.resetQueries({ queryKey: keys.diagnosis(check) }),
    stop: () => void queryClient.cancelQueries({ queryKey: keys.diagnoses }),
  }
}

export type DiagnosisRow = ReturnType<typeof useDiagnosis>['rows'][number]
