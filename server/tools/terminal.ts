import { z } from 'zod'
import { terminalAction } from '../api/event/actions.ts'
import { type TerminalAction, TerminalSession, type Timing } from './terminal/session.ts'
import type { Tool, ToolHost } from './tool.ts'

const TIMING: Timing = { quietMs: 30_000, inputQuietMs: 5_000 }

const DESCRIPTION = `Run a command in the shell of the sandbox: bash where the image has it, otherwise /bin/sh.

One shell serves the whole conversation. The working directory, variables, functions, virtual environments and background jobs stay from call to call.
* The command may be anything that can be typed: pipelines, several commands with && or ; or on several lines, loops, here-documents.
* The output is what a person would see at the terminal, without colours. Over 30,000 characters the middle is left out and the whole is saved in a file that the answer names. Prefer commands with little output: grep, head, tail, sed -n.
* The answer ends with the exit code and the working directory.

Commands that take long or do not end:
* Without timeout, the wait ends after 30 seconds in which nothing new was shown. With timeout, it ends after that many seconds in all, however much is shown. Either way the command GOES ON RUNNING and the exit code is -1.
* While it runs, call again with an empty command to see what is new, with is_input=true and text to type into it (Enter is added), or with is_input=true and a key: C-c, C-d, C-z, any other C-<letter>, UP, DOWN, LEFT, RIGHT, HOME, END, PGUP, PGDN, TAB, ESC, BS, ENTER. Any other command is refused until it has ended.
* Give a timeout to what takes long (installing, building, testing). Start servers in the background with their output in a file: server > /tmp/server.log 2>&1 &
* A shell that does not react any more: reset=true gives a new one. It ends all programs of the old one and forgets its variables.

Do not end the shell itself (exit, or set -e outside a subshell): its state would be lost. No pager is used; prefer options that avoid questions (-y, --yes).`

const parameters = z.object({
  command: z
    .string()
    .describe(
      'The command line. Empty: show what is new of the running command. With is_input=true: the text or the key to send to it.',
    ),
  is_input: z
    .boolean()
    .default(false)
    .describe('true: the command is typed into the running program. false (default): it is run by the shell.'),
  timeout: z
    .number()
    .min(0)
    .optional()
    .describe('Seconds to wait in all. Without it, the wait ends after 30 seconds without new output.'),
  reset: z
    .boolean()
    .default(false)
    .describe('true: end the shell with everything that runs in it and start a new one; then run the command, if any.'),
})

export function createTerminal(host: ToolHost, timing: Timing = TIMING): Tool<TerminalAction> {
  const session = new TerminalSession(host, timing)
  return {
    name: 'terminal',
    description: DESCRIPTION,
    parameters,
    readOnly: false,
    cwd: () => session.cwd(),
    shell: { start: command => session.startForPerson(command), type: bytes => session.typeForPerson(bytes) },
    toAction: given => terminalAction.parse({ kind: 'TerminalAction', ...parameters.parse(given) }),
    run: (action, context) => session.run(action, context),
    close: () => session.close(),
  }
}
