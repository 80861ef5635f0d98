import type { Action } from '../../api/event/actions.ts'

type TerminalAction = Extract<Action, { kind: 'TerminalAction' }>

/** What the model reads around a command's output. The beginnings are known to existing clients: keep them. */
export const MESSAGES = {
  previous: '[Below is the output of the previous command.]\n',
  nothingToRead: 'No previous running command to retrieve logs from.',
  nothingToTypeInto: 'No previous running command to interact with.',
  reset:
    'Terminal session has been reset. This is a new shell in the working directory: variables, functions and programs of the old one are gone.',
  resetWithInput: 'Cannot use reset=true with is_input=true: after a reset no program runs that could take input.',

  completed: (exitCode: number, interrupted: boolean) =>
    `\n[The command completed with exit code ${exitCode}.${interrupted ? ' CTRL+C was sent.' : ''}]`,
  quiet: (ms: number) => `\n[The command has no new output after ${seconds(ms)}. ${GO_ON}]`,
  timedOut: (ms: number) => `\n[The command timed out after ${seconds(ms)}. ${GO_ON}]`,
  shellEnded: (exitCode: number) =>
    exitCode < 0
      ? '\n[The connection to the shell broke. The next command starts a new shell in the working directory; variables and functions of the old one are gone.]'
      : `\n[The shell itself ended with exit code ${exitCode}. The next command starts a new shell in the working directory; variables and functions of the old one are gone. To end a script early without ending the shell, run it in a subshell: ( … ).]`,
  restarted:
    '[The previous shell had ended. This ran in a new one, in the working directory; variables and functions of the old one are gone.]\n',
  notExecuted: (command: string) =>
    `\n[Your command "${command}" is NOT executed. The previous command is still running - a new command cannot start before it ends. ${GO_ON}]`,
  finishedMeanwhile: (exitCode: number, rest: string) =>
    `[The previous command has completed with exit code ${exitCode} meanwhile.]\n${rest ? `[The rest of its output:]\n${rest}\n[Below is the output of this command.]\n` : ''}`,
  inputNotSent: '\n[Your input is NOT sent: the command had already ended.]',
  notRendered: (why: string) =>
    `[From here on the output could not be rendered as a terminal shows it (${why}). This is its plain text, without what moves the cursor. The shell and the command go on.]`,
  clipped: (path: string | undefined, { line, whole }: { line: number; whole: boolean }) =>
    `\n<response clipped><NOTE>The output is too long to be shown whole; its middle is left out here. ${
      path
        ? `${whole ? 'All of it' : 'Its first 8 MB and its end (more than that is not kept)'} is in ${path}; the left-out part begins at about line ${line}. Read it with grep, sed -n or head.`
        : 'Run the command again with its output in a file or through grep, head or tail to see the rest.'
    }</NOTE>\n`,
}

const GO_ON =
  "It goes on running. You may wait longer to see additional output by sending empty command '', send text to it with is_input=true, " +
  'send keys ("C-c", "C-z", "C-d") with is_input=true to interrupt or end it, or give a longer timeout with the next command.'

function seconds(ms: number): string {
  return `${ms / 1000} seconds`
}

/** Why an action cannot be carried out at all; undefined when it can. */
export function refusal(action: TerminalAction): string | undefined {
  if (action.reset && action.is_input) return MESSAGES.resetWithInput
  if (!action.is_input && isLiteral(action.command)) {
    return 'The command is a list or an object, not shell text. Give the command line as one string, as you would type it.'
  }
  return undefined
}

/** A list or an object of strings in the notation of JSON or Python, as some models write instead of a command line. */
function isLiteral(command: string): boolean {
  const text = command.trim()
  return /^\[(["']).*\1,?\s*\]$/s.test(text) || /^\{\s*(["'])\w+\1\s*:.*\}$/s.test(text)
}
