import {
  type Diagnosis,
  type DiagnosisCheck,
  diagnoseModel,
  diagnosisCheck,
  ENGINE_CHECKS,
  runCheck,
} from '../../api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE, type EngineEntry, listEngines } from '../../api/v1/system/engines.ts'
import type { Atelier } from '../../client/atelier.ts'
import { diagnosisLines } from '../../client/diagnosis-report.ts'
import { readDiscoveryFile } from '../../discovery-file.ts'
import { messageOf } from '../../domain/errors.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import type { Style } from '../output/terminal.ts'
import { dataDirOfSession, openAtelier, type Session } from '../session.ts'

const STYLES: Readonly<Partial<Record<Diagnosis['state'], Style>>> = {
  warning: 'yellow',
  problem: 'red',
  unknown: 'yellow',
  skipped: 'dim',
}

/** Ends with 1 when something cannot work. The checks run side by side, and are printed in their order. */
export async function doctor(session: Session, { model = false }: { model?: boolean }): Promise<ExitCode> {
  const { host, signal } = session
  const atelier = await runningAtelier(session)
  if (atelier) {
    const added = (await atelier.call(listEngines, { signal })).items.filter(({ is_default }) => !is_default)
    return report(session, added, asked => ofService(atelier, asked, { model, signal }))
  }
  const machine = await host.openMachineDoctor(dataDirOfSession(session))
  try {
    return await report(session, [], ({ check }) => machine.run(check, signal))
  } finally {
    await machine.close()
  }
}

/** null where none runs, or this command may not ask it: the machine can be looked at all the same. */
async function runningAtelier(session: Session): Promise<Atelier | null> {
  const { options, terminal } = session
  if (!options.url && !options.start && !readDiscoveryFile(dataDirOfSession(session))) {
    terminal.say('Atelier does not run, so only this machine is checked.', 'dim')
    return null
  }
  try {
    return await openAtelier(session)
  } catch (error) {
    // One that was named is what was asked about; of one that is sick, the machine still tells something.
    const isRefused = error instanceof CommandError && error.exitCode === EXIT.refused
    if (!isRefused && (options.url || options.start)) throw error
    terminal.say(`Only this machine is checked. ${messageOf(error)}`, 'yellow')
    return null
  }
}

interface Asked {
  check: DiagnosisCheck
  engineId: string
}

function ofService(
  atelier: Atelier,
  { check, engineId }: Asked,
  { model, signal }: { model: boolean; signal: AbortSignal },
): Promise<Diagnosis> {
  if (check === 'model' && model) return atelier.call(diagnoseModel, { signal })
  return atelier.call(runCheck, { params: { check }, query: { engine_id: engineId }, signal })
}

/** @param added engines that are looked at beside the default one */
async function report(
  { terminal }: Session,
  added: readonly Pick<EngineEntry, 'id' | 'name'>[],
  run: (asked: Asked) => Promise<Diagnosis>,
): Promise<ExitCode> {
  const names = new Map(added.map(({ id, name }) => [id, name]))
  const running = [
    ...diagnosisCheck.options.map(check => run({ check, engineId: DEFAULT_ENGINE })),
    ...added.flatMap(({ id }) => ENGINE_CHECKS.map(check => run({ check, engineId: id }))),
  ]
  // Each is waited for in turn; one that fails meanwhile is reported then.
  for (const each of running) each.catch(() => {})
  let ended: ExitCode = EXIT.done
  for (const each of running) {
    const found = await each
    if (found.state === 'problem') ended = EXIT.failed
    if (terminal.isJson) {
      terminal.json({ type: 'diagnosis', ...found })
      continue
    }
    const [first = '', ...more] = diagnosisLines(found, names)
    terminal.print(first, STYLES[found.state])
    for (const line of more) terminal.print(line, 'dim')
  }
  return ended
}
