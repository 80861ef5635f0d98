/** The shell of an agent, as a person uses it who works beside it. */
export interface SharedShell {
  /**
   * Gives it a command line; resolves when the shell has begun with it.
   * @throws AppError conflict while a program runs in it, and those of the sandbox
   */
  start(command: string): Promise<void>
  /** Types into the program that runs, the agent's or a person's. @throws AppError conflict where none runs */
  type(bytes: Buffer): Promise<void>
}
