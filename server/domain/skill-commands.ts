import type { Skill } from './skill.ts'

/** A command in the text of a skill, to be replaced by what it says. */
const COMMAND = /!`([^`\n]+)`/g
/** Fenced code shows a command and does not mean it. */
const FENCED = /^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)[ \t]*$|(?![\s\S]))/gm

/** In their order, each once. */
export function commandsIn(content: string): string[] {
  return [...new Set([...content.replace(FENCED, '').matchAll(COMMAND)].flatMap(match => match[1] ?? []))]
}

/** The text with what each command said in its place; one without an entry stays. */
export function withOutputs(content: string, outputs: ReadonlyMap<string, string>): string {
  const replaced = (text: string) => text.replace(COMMAND, (whole, command: string) => outputs.get(command) ?? whole)
  let result = ''
  let end = 0
  for (const fenced of content.matchAll(FENCED)) {
    result += replaced(content.slice(end, fenced.index)) + fenced[0]
    end = fenced.index + fenced[0].length
  }
  return result + replaced(content.slice(end))
}

/** Whether it asks for commands to be run when it is read. */
export function hasCommands({ content }: Pick<Skill, 'content'>): boolean {
  return commandsIn(content).length > 0
}
