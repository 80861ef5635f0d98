import { settledWithin } from '../../async/settled-within.ts'
import type { Engine, EngineWatch } from '../../docker/engine.ts'
import { isAppError } from '../../domain/errors.ts'
import { SANDBOX } from '../spec.ts'

const LISTENING_MS = 5000
/** A step may be over before its limit was set a second time. */
const ENDED = ['sandbox_not_found', 'sandbox_not_running', 'engine_unavailable'] as const

/**
 * Bounds the processes of a build's steps, for which the builder takes no limit: a step gets it when its container is made,
 * which is long before its program runs. What has begun before it goes on, and nothing more begins.
 * @param labels that the steps of this build have; images that are built have them too, and so their sandboxes
 * @param onProblem called once, with a sentence
 */
export async function limitSteps(
  engine: Pick<Engine, 'watch' | 'limitProcesses'>,
  labels: Readonly<Record<string, string>>,
  onProblem: (sentence: string) => void,
): Promise<EngineWatch> {
  let report: ((sentence: string) => void) | undefined = onProblem
  const limit = (id: string) =>
    engine.limitProcesses(id, SANDBOX.pids).catch(error => {
      if (ENDED.some(code => isAppError(error, code))) return
      problem()
    })
  const problem = () => {
    report?.('The engine does not limit how many processes a step of the build may have.')
    report = undefined
  }
  return new Promise(resolve => {
    let listen = () => {}
    let isListening = false
    const listening = new Promise<void>(begun => {
      listen = () => {
        isListening = true
        begun()
      }
    })
    const said = Object.entries(labels).filter(([, value]) => value !== '')
    // Not every engine finds a label by no value.
    const watch = engine.watch(Object.fromEntries(said), {
      onContainer: ({ id, name, action }) => {
        const isStep = !name.startsWith(SANDBOX.namePrefix)
        if (isStep && (action === 'create' || action === 'start')) void limit(id)
      },
      onReconnect: () => listen(),
      onDisconnect: () => {},
    })
    void settledWithin(LISTENING_MS, listening).then(() => {
      if (!isListening) problem()
      resolve(watch)
    })
  })
}
