import { z } from 'zod'
import { SECURITY_RISKS } from '../../api/v1/conversation/confirmation.ts'
import type { Tool } from '../tool.ts'

export const summaryField = z
  .string()
  .optional()
  .describe('What this call does and why, in about ten words, for the person who watches.')

export const riskField = z
  .enum(SECURITY_RISKS)
  .optional()
  .describe(
    'LOW: only reads, or changes files of the project. MEDIUM: changes the sandbox, installs, or talks to the network. HIGH: deletes or sends data, touches secrets, or cannot be undone. UNKNOWN: you cannot tell.',
  )

/** The extended parameters, by those that they extend. Most tools share theirs between conversations. */
const extended = new WeakMap<z.ZodObject, z.ZodObject>()

/** Every call can be summed up; one that changes something says how risky it is. */
export function withCallFields(tool: Tool): Tool {
  const known = extended.get(tool.parameters)
  if (known) return { ...tool, parameters: known }
  const parameters = z.object({
    summary: summaryField,
    ...tool.parameters.shape,
    ...(!tool.readOnly && { security_risk: riskField }),
  })
  extended.set(tool.parameters, parameters)
  return { ...tool, parameters }
}

/** What is said about a call, apart from its parameters. */
export function callFields({ ownFields = [] }: Tool, given: Record<string, unknown>) {
  const parameters = { ...given }
  const take = (field: 'summary' | 'security_risk') => {
    if (ownFields.includes(field)) return undefined
    const value = parameters[field]
    delete parameters[field]
    return value
  }
  return { parameters, summary: take('summary'), security_risk: take('security_risk') }
}
