import { timeLimit } from '../../async/time-limit.ts'
import type { Engine } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'

const TIMEOUT_MS = 10_000

/** Takes names. Only the shell itself is needed, and a name is added once. */
const ADD = `for name; do
  found=
  while read -r address names; do
    case " $names " in *" $name "*) found=1 ;; esac
  done </etc/hosts
  [ -n "$found" ] || printf '127.0.0.1\\t%s\\n' "$name" >>/etc/hosts || exit 1
done`

/**
 * Makes names lead to the sandbox itself, for its programs and for its services, which have the same file of hosts. The engine
 * writes the file anew when the container starts.
 */
export async function addHostNames(engine: Engine, containerId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  // The shell is the sandbox's own, and may be anything.
  const signal = timeLimit(TIMEOUT_MS)
  const argv = ['/bin/sh', '-c', ADD, 'sh', ...names]
  const stream = await engine.exec(containerId, { argv, user: '0:0', signal })
  stream.stdout.resume()
  stream.stderr.resume()
  if ((await stream.exitCode) === 0) return
  throw new AppError('command_failed', 'The names of the services could not be written into /etc/hosts of the sandbox.')
}
