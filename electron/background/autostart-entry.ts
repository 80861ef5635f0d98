/** The word that a start at log-in has: without a window in front. */
export const HIDDEN_SWITCH = '--hidden'

/**
 * A desktop entry that starts the app at log-in. A desktop passes over one whose program is gone.
 * https://specifications.freedesktop.org/autostart-spec/latest/
 * @param program absolute path @throws for one that no entry can name
 */
export function autostartEntry(program: string, summary: string): string {
  if (/[\n\r\0]/.test(program)) throw new Error('A path with a line break cannot be started at log-in.')
  return `${[
    '[Desktop Entry]',
    'Type=Application',
    'Name=Atelier',
    `Comment=${summary}`,
    `Exec=${escaped(quoted(program))} ${HIDDEN_SWITCH}`,
    `TryExec=${escaped(program)}`,
    'Icon=atelier',
    'Terminal=false',
    'StartupNotify=false',
  ].join('\n')}\n`
}

/** Whether the desktop would start it: some tools turn an entry off in place. */
export function isStarted(entry: string): boolean {
  return /^Exec *=/m.test(entry) && !/^(?:Hidden *= *true|X-GNOME-Autostart-enabled *= *false) *$/m.test(entry)
}

/** Whether it starts this program. */
export function names(entry: string, program: string): boolean {
  return entry.split('\n').includes(`TryExec=${escaped(program)}`)
}

/** One word of a command line: https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html */
function quoted(word: string): string {
  return `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
}

/** A value of an entry. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t')
}
