/** The skills that a model may read when it wants to. */
export interface SkillLibrary {
  list(): readonly { name: string; description: string }[]
  /**
   * The skill's text, and where its other files are in the sandbox.
   * @throws AppError not_found, with the names that there are
   */
  read(name: string, signal: AbortSignal): Promise<string>
}
