import type { CaseTable } from '../../parts/operation/case.ts'

const of = (conversation_id: string) => ({ params: { conversation_id } })

export const REPOSITORY_TRUST_CASES: CaseTable = {
  listTrustedRepositories: { success: {} },
  trustRepository: {
    success: {
      body: { repository: '$askingRepository', digest: '$askingDigest' },
      reply: { items: [{ role: 'pre_commit', path: '.openhands/pre-commit.sh' }] },
    },
    failures: {
      not_found: { body: { repository: '$askingRepository', digest: 'another' } },
      conflict: { body: { repository: '$linkedRepository', digest: '$linkedDigest' } },
    },
  },
  distrustRepository: {
    success: { query: { repository: '$trustedRepository' }, reply: { success: true } },
    failures: { not_found: { query: { repository: 'github.com/nobody/nothing' } } },
  },
  getRepositoryTrust: { success: { ...of('$linked'), reply: { state: 'nothing', items: [{ trusted: false }] } } },
  postponeRepositoryTrust: { success: of('$conversation') },
  setUpRepository: { success: of('$offered'), failures: { conflict: of('$conversation') } },
}
