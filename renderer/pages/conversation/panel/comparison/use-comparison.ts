import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComparedFile } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { comparisonQuery } from '../../../../api/checkpoints.ts'
import { conversationQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'

/** Which of the conversations is compared with which: the left one, the right one. */
export type Pair = readonly [string, string]

/** Which two sides of a file are shown: of both conversations, or what one of them has changed. */
export type ShownSides = 'both' | 'here' | 'there'

/** Two conversations, what differs between them, and the file of it that is looked at. */
export function useComparison(first: Pair) {
  const client = useClient()
  const [pair, setPair] = useState(first)
  const [chosen, setChosen] = useState<string | null>(null)
  const [sides, setSides] = useState<ShownSides>('both')
  const [here, there] = pair
  const one = useQuery(conversationQuery(client, here)).data
  const other = useQuery(conversationQuery(client, there)).data
  const working = [one, other].filter(info => info?.execution_status === 'running').map(info => info?.id ?? '')
  const list = useQuery({ ...comparisonQuery(client, pair, working.length > 0), enabled: here !== there })
  const files = list.data?.files ?? []
  const file = files.find(({ path }) => path === chosen) ?? files[0] ?? null
  return {
    pair,
    setPair: (next: Pair) => {
      setPair(next)
      setSides('both')
    },
    /** Those whose agent is at work. */
    working,
    list,
    files,
    file,
    choose: ({ path }: ComparedFile) => setChosen(path),
    step: (by: 1 | -1) => {
      const next = file ? files[files.indexOf(file) + by] : undefined
      if (next) setChosen(next.path)
    },
    /** Without files in common there is nothing but both. */
    sides: list.data?.has_common_files ? sides : 'both',
    setSides,
  }
}

export type Comparing = ReturnType<typeof useComparison>
