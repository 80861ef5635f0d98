import { capture } from '../machine/command.mjs'
import { projectFolder } from '../machine/paths.mjs'
import { SetupError } from '../machine/progress.mjs'

/**
 * The time that every file of a package has: that of SOURCE_DATE_EPOCH, or else of the commit, so that the same sources give the same bytes
 * (https://reproducible-builds.org/specs/source-date-epoch/).
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} seconds since 1970
 */
export async function sourceEpoch(env = process.env) {
  const given = env.SOURCE_DATE_EPOCH
  const text =
    given ?? (await capture('git', ['log', '-1', '--format=%ct'], { cwd: projectFolder, quiet: true })).stdout
  if (/^\d{1,10}$/.test(text.trim())) return Number(text)
  throw new SetupError(
    given === undefined
      ? 'These sources have no commit, so they have no time. Set SOURCE_DATE_EPOCH to seconds since 1970.'
      : 'SOURCE_DATE_EPOCH is no number of seconds since 1970. Correct or unset it.',
  )
}
