import type { ReviewBase } from '../../api/v1/conversation/review.ts'
import { AppError } from '../../domain/errors.ts'
import { BASE, withBegan } from '../changes.ts'
import { atCheckpoints } from '../checkpoint/script.ts'

export interface ChosenBase {
  base: ReviewBase
  /** Only for the base `commit`, and the tree of a checkpoint. */
  commit: string | null
  /** For a checkpoint: whose it is, and of which folder. */
  kept?: { conversation: string; workingDir: string }
  /** When the work began, for a repository without a remote. */
  began: Date
}

export const NO_BASE = 8

/** $1 base, $2 commit. Prints what is compared with, nothing for the index; ends with NO_BASE where there is no such thing. */
const CHOSEN = `${BASE}
default_branch() {
  for name in "$(git symbolic-ref -q refs/remotes/origin/HEAD)" refs/remotes/origin/main refs/remotes/origin/master refs/heads/main refs/heads/master; do
    if [ -n "$name" ] && git rev-parse -q --verify "$name^{commit}"; then return; fi
  done
  return 1
}
chosen() {
  case $1 in
    start) base ;;
    unstaged) ;;
    last_commit|staged) git rev-parse -q --verify 'HEAD^{commit}' || git hash-object -t tree /dev/null ;;
    default_branch) default=$(default_branch) && git merge-base HEAD "$default" 2>/dev/null ;;
    commit) git rev-parse -q --verify "$2^{commit}" ;;
    last_turn|checkpoint) git rev-parse -q --verify "$2^{tree}" ;;
  esac || return ${NO_BASE}
}
`

/** A command whose script has `chosen` at hand, and as $1 and $2 what is chosen. @throws AppError bad_request */
export function withChosen(script: string, chosen: ChosenBase, ...args: string[]): string[] {
  const { base, commit, began, kept } = chosen
  if (base === 'commit' && !commit) {
    throw new AppError('bad_request', 'commit is missing. Name the commit, branch or tag to compare with.')
  }
  if (commit?.startsWith('-')) throw noBase(chosen)
  const place = kept ? `${atCheckpoints(kept.conversation, kept.workingDir)}\n` : ''
  return ['/bin/sh', '-c', withBegan(`${place}${CHOSEN}${script}`, { began }), 'sh', base, commit ?? '', ...args]
}

export function noBase({ base, commit }: ChosenBase): AppError {
  if (base === 'default_branch') {
    const message = 'No default branch was found that this branch comes from. Choose another base to compare with.'
    return new AppError('bad_request', message)
  }
  if (base === 'last_turn' || base === 'checkpoint') {
    return new AppError('bad_request', 'The sandbox has not kept these files any more. Choose another base.')
  }
  const message = `The repository has no commit ${commit}. Name a commit, branch or tag that it has.`
  return new AppError('bad_request', message)
}
