import type { Command, Option } from 'commander'
import { desktop as ar } from '../../../electron/language/ar.ts'
import { desktop as de } from '../../../electron/language/de.ts'
import { desktop as en } from '../../../electron/language/en.ts'
import { desktop as es } from '../../../electron/language/es.ts'
import { desktop as fr } from '../../../electron/language/fr.ts'
import { desktop as ja } from '../../../electron/language/ja.ts'
import { desktop as ko } from '../../../electron/language/ko.ts'
import { desktop as pt } from '../../../electron/language/pt.ts'
import { desktop as zh } from '../../../electron/language/zh.ts'
import { completionScript } from '../../../server/cli/completion.ts'
import { createProgram, EXIT_CODES } from '../../../server/cli/program.ts'

/** What a Linux package says in words that the app and its command line have already. Bundled, then run where packages are made. */
export interface Words {
  /** The page of the manual, in troff. */
  manual: string
  completions: { bash: string; zsh: string; fish: string }
  /** By language, as desktop entries and AppStream name them. */
  entries: Record<string, { summary: string; newConversation: string; openInAtelier: string }>
}

/** @param date of the page, as YYYY-MM-DD */
export function wordsOf(version: string, date: string): Words {
  const program = createProgram(version, async () => {})
  return {
    manual: manual(program, version, date),
    completions: {
      bash: completionScript(program, 'bash'),
      zsh: completionScript(program, 'zsh'),
      fish: completionScript(program, 'fish'),
    },
    entries: { en, de, es, fr, ja, ko, pt_BR: pt, zh_CN: zh, ar },
  }
}

function manual(program: Command, version: string, date: string): string {
  const help = program.createHelp()
  return `${[
    `.TH ATELIER 1 "${date}" "Atelier ${version}" "User Commands"`,
    '.SH NAME',
    `atelier \\- ${troff(en.summary)}`,
    '.SH SYNOPSIS',
    '.B atelier',
    '.br',
    '.B atelier \\-\\-folder',
    '.I folder',
    '.br',
    '.B atelier',
    '.RI [ options ]',
    '.I command',
    '.SH DESCRIPTION',
    troff(program.description()),
    'Without arguments, with a folder or with a link that begins with',
    '.B atelier:',
    'it opens the window; with a command it works in the terminal, as a client of the running app.',
    '.SH OPTIONS',
    ...terms(help.visibleOptions(program), help),
    '.SH COMMANDS',
    ...help.visibleCommands(program).flatMap(command => commandLines(command)),
    '.SH EXIT STATUS',
    troff(EXIT_CODES),
    '.SH ENVIRONMENT',
    '.TP',
    '.B ATELIER_DATA_DIR',
    'The folder that holds everything that Atelier keeps.',
    '.TP',
    '.B SESSION_API_KEY',
    'The key of the API, in place of the one in the keychain.',
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/Atelier',
    'Conversations, settings and logs. They stay when the program is removed.',
  ].join('\n')}\n`
}

/** A command, and those below it. */
function commandLines(command: Command): string[] {
  const help = command.createHelp()
  if (command.name() === 'help') return []
  const args = help.visibleArguments(command).map(argument => ({
    flags: argument.name(),
    description: help.argumentDescription(argument),
  }))
  return [
    `.SS "${troff(help.commandUsage(command)).replaceAll('"', '\\(dq')}"`,
    troff(`${capitalized(command.description())}.`),
    ...args.flatMap(({ flags, description }) => term(flags, description)),
    ...terms(
      help.visibleOptions(command).filter(({ long }) => long !== '--help'),
      help,
    ),
    ...help.visibleCommands(command).flatMap(commandLines),
  ]
}

function terms(options: readonly Option[], help: ReturnType<Command['createHelp']>): string[] {
  return options.flatMap(option => term(option.flags, help.optionDescription(option)))
}

function term(name: string, description: string): string[] {
  return ['.TP', `\\fB${troff(name)}\\fR`, troff(description)]
}

/** Text that troff takes for nothing else. */
function troff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
