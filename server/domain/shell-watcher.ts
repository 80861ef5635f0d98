/** Told what the shell of an agent does, as it happens. None of it may throw. */
export interface ShellWatcher {
  /** A command was given to the shell, in this folder. */
  began(command: string, workingDir: string): void
  /** Bytes that the command wrote to its terminal, without those by which the shell and the service understand each other. */
  showed(data: Buffer): void
  /** @param exitCode of the command, or of the shell where that has ended; -1 where nobody knows it */
  ended(exitCode: number, what: 'command' | 'shell'): void
}
