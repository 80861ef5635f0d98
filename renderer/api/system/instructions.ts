import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type InstructionsProgram,
  importUserInstructions,
  listUserInstructions,
  removeUserInstructions,
} from '../../../server/api/v1/transfer/instructions.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

export const instructionsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.userInstructions,
    queryFn: ({ signal }) => client.call(listUserInstructions, { signal }),
    // Files change without a word to the service.
    staleTime: 0,
  })

export function useImportInstructions() {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (program: InstructionsProgram) => client.call(importUserInstructions, { params: { program } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.userInstructions }),
  })
}

export function useRemoveInstructions() {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (program: InstructionsProgram) => client.call(removeUserInstructions, { params: { program } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.userInstructions }),
  })
}
