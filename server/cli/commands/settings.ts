import { getSettingsV1, settingsPatch, storeSettingsV1 } from '../../api/v1/settings/settings.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { openAtelier, type Session } from '../session.ts'

/** Values that are never shown, and never stand in a command line, where other programs and the shell's history see them. */
const SECRET = /_key$|^secrets_store$/

export async function getSetting(session: Session, name: string | undefined): Promise<ExitCode> {
  const { terminal, signal } = session
  const settings = (await (await openAtelier(session)).call(getSettingsV1, { signal })) as Record<string, unknown>
  const shown = Object.entries(settings).filter(([field]) => !SECRET.test(field))
  const asked = name === undefined ? shown : shown.filter(([field]) => field === name)
  if (asked.length === 0) throw new CommandError(EXIT.usage, `There is no setting '${name}' that can be shown.`)
  if (terminal.isJson) terminal.json(Object.fromEntries(asked))
  else
    for (const [field, value] of asked) terminal.print(name === undefined ? `${field}=${wordOf(value)}` : wordOf(value))
  return EXIT.done
}

/** `-` reads the value from stdin; `null` clears it. */
export async function setSetting(session: Session, name: string, given: string): Promise<ExitCode> {
  const { terminal } = session
  if (!(name in settingsPatch.shape)) {
    throw new CommandError(EXIT.usage, `There is no setting '${name}'. \`atelier settings get\` shows them.`)
  }
  if (SECRET.test(name) && given !== '-') {
    throw new CommandError(EXIT.usage, `Give ${name} on stdin: atelier settings set ${name} - < file`)
  }
  const text = given === '-' ? await terminal.input() : given
  const value = [text, parsed(text)].find(value => settingsPatch.safeParse({ [name]: value }).success)
  const wanted = text === 'null' && !SECRET.test(name) ? null : value
  if (wanted === undefined)
    throw new CommandError(EXIT.usage, `${name} cannot have this value. ${reasonOf(name, text)}`)
  const body = settingsPatch.parse({ [name]: wanted })
  await (await openAtelier(session)).call(storeSettingsV1, { body })
  terminal.say(`${name} is set.`, 'dim')
  return EXIT.done
}

/** What the schema says, without the value: it may be a key. */
function reasonOf(name: string, text: string): string {
  const message = settingsPatch.safeParse({ [name]: parsed(text) ?? text }).error?.issues[0]?.message ?? ''
  return message.replace(/[.]?$/, '.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
