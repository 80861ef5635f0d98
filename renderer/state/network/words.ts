import type { AllowlistPreset, SandboxNetwork } from '../../../server/api/network-policy.ts'
import type { HostProblem, PolicyEdit, ReadHosts } from './policy.ts'
import { t } from './text.ts'

export const NETWORK_WORDS: Readonly<Record<SandboxNetwork, { label: string; detail: string }>> = {
  full: { label: t('internet'), detail: t('internetMeans') },
  allowlist: { label: t('onlyTheseHosts'), detail: t('onlyTheseHostsMeans') },
  none: { label: t('nothing'), detail: t('nothingMeans') },
}

export const PRESET_WORDS: Readonly<Record<AllowlistPreset, { label: string; detail: string }>> = {
  packages: { label: t('packages'), detail: t('packagesMean') },
  code: { label: t('code'), detail: t('codeMeans') },
  documentation: { label: t('documentation'), detail: t('documentationMeans') },
}

/** What is wrong with what was typed; each text is named where there are several. */
export function problemWords(refused: ReadHosts['refused']): string | undefined {
  const [first, ...more] = refused
  if (!first) return undefined
  if (more.length === 0) return wordsOf(first.problem)
  return refused.map(({ text, problem }) => t('whichText', { text, problem: wordsOf(problem) })).join(' ')
}

function wordsOf(problem: HostProblem): string {
  switch (problem.problem) {
    case 'shape':
      return t('nameShape')
    case 'port':
      return t('namePort')
    case 'address':
      return t('nameAddress')
    case 'localhost':
      return t('nameLocalhost')
    case 'wide':
      return t('nameWide', { name: problem.name })
    case 'listed':
      return t('nameListed')
    case 'many':
      return t('tooManyHosts', { limit: problem.limit })
  }
}

const REACHES: Readonly<Record<SandboxNetwork, string>> = {
  full: t('reachesInternet'),
  allowlist: t('reachesOnlyHosts'),
  none: t('reachesNothing'),
}

/** What has become of an edit. */
export function editWords(edit: PolicyEdit): string {
  switch (edit.kind) {
    case 'network':
      return REACHES[edit.network]
    case 'preset': {
      const group = PRESET_WORDS[edit.preset].label
      return edit.isOn ? t('groupAllowed', { group }) : t('groupNotAllowed', { group })
    }
    case 'add': {
      const [host = '', ...more] = edit.hosts
      return more.length > 0 ? t('hostsAllowed', { count: edit.hosts.length }) : t('hostAllowed', { host })
    }
    case 'remove':
      return t('hostNotAllowed', { host: edit.hosts.join(', ') })
  }
}
