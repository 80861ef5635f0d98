import { isSecretName } from '../../../api/secret-names.ts'
import { TAINT } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'

/** The value of a parameter: what these commands gave it, else a taint. */
export function lookup(analysis: ShellAnalysis, name: string): string {
  const { positional, directories, variables } = analysis.scope
  if (name === '@' || name === '*') return positional.join(' ')
  if (/^[1-9]\d*$/.test(name)) return positional[Number(name) - 1] ?? ''
  if (name === '0') return variables.get('0')?.[0] ?? 'bash'
  if (/^[#?$!-]$/.test(name)) return TAINT.unknown
  if (name === 'PWD') return directories[0] || TAINT.unknown
  const values = variables.get(name)
  if (values) {
    if (values.length > 1) analysis.ambiguous.add(name)
    return values[0] ?? ''
  }
  if (!isSecretName(name)) return TAINT.unknown
  analysis.secretNames.add(name)
  return TAINT.token
}
