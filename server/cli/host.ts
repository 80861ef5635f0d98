import type { Diagnosis, DiagnosisCheck } from '../api/v1/system/diagnosis.ts'
import type { ChildPort } from '../secret/keychain/child-port.ts'

/** What the commands need of the program that runs them, which is Node.js or the desktop app. */
export interface CommandHost {
  version: string
  /** The process that asks the keychain, which may never answer. */
  startKeychainProcess(): ChildPort
  /** Runs the service in this process, and returns once it is ready. A signal ends it, and the process with it. */
  serve(): Promise<void>
  /** What looks at this machine where no service can be asked. */
  openMachineDoctor(dataDir: string): Promise<{
    run(check: DiagnosisCheck, signal: AbortSignal): Promise<Diagnosis>
    close(): Promise<void>
  }>
  /** How another process is started that runs the same commands. */
  self: { program: string; args: readonly string[] }
}
