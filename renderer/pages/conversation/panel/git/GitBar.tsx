import { useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import type { GitState } from '../../../../../server/api/v1/git/commits.ts'
import { pullRequestQuery } from '../../../../api/git-state.ts'
import { useClient } from '../../../../api/session.ts'
import { ExternalLink } from '../../../../components/ExternalLink.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { t } from '../text.ts'
import { useGitState } from './use-git-state.ts'

/** For a conversation in a repository with a remote: from its changes to a commit, a push and a pull request. */
export function GitBar() {
  const { status, ask } = useOpenConversation()
  const running = useSandbox().isUsable
  const { data: state } = useGitState()
  if (!running || !state?.remote) return null
  const { branch, files, ahead } = state
  const counts = [t('filesToCommit', { count: files.length }), ahead > 0 && t('commitsToPush', { count: ahead })]
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      <span className="flex min-w-0 basis-full items-baseline gap-2">
        <GitBranch size={13} aria-hidden className="shrink-0 self-center text-faint" />
        <span className="truncate font-mono text-sm" title={branch ?? undefined}>
          {branch ?? t('noBranch')}
        </span>
        <span className="ms-auto shrink-0 text-faint text-sm">{counts.filter(Boolean).join(' · ')}</span>
      </span>
      <Button
        size="small"
        disabledReason={reasonNotToCommit(state, status === 'running')}
        onClick={() => ask('commit')}
      >
        {t('commit')}
      </Button>
      <Button size="small" disabledReason={state.push_problem} onClick={() => ask('push')}>
        {t('push')}
      </Button>
      <Request state={state} onOpen={() => ask('pull-request')} />
    </div>
  )
}

/** The pull request of the branch, or the way to one. The provider is asked only once there is something to ask for. */
function Request({ state, onOpen }: { state: GitState; onOpen: () => void }) {
  const client = useClient()
  const { id } = useOpenConversation()
  const { branch, remote, upstream } = state
  const enabled = upstream !== null && remote?.git_provider != null && branch !== state.default_branch
  const { data: found } = useQuery({ ...pullRequestQuery(client, id, branch), enabled })
  if (found) {
    return <ExternalLink href={found.url}>{t('pullRequestNumber', { number: `#${found.number}` })}</ExternalLink>
  }
  return (
    <Button size="small" disabledReason={reasonAgainstRequest(state)} onClick={onOpen}>
      {t('openPullRequest')}
    </Button>
  )
}

function reasonNotToCommit({ files, amendable }: GitState, working: boolean): string | null {
  if (working) return t('agentWorksOnFiles')
  return files.length > 0 || amendable ? null : t('everythingIsCommitted')
}

function reasonAgainstRequest({ remote, upstream, branch, default_branch }: GitState): string | null {
  if (remote?.git_provider == null) return t('noTokenForPullRequest')
  return upstream === null || branch === default_branch ? t('pushFirst') : null
}
