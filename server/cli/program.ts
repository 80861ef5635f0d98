import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { GIT_PROVIDERS } from '../api/v1/conversation/conversations.ts'
import { folderMode } from '../api/v1/conversation/folder/folders.ts'
import { apply, CONFLICT_CHOICES } from './commands/apply.ts'
import { attach, list, send, show, stop } from './commands/conversations.ts'
import { diff } from './commands/diff.ts'
import { doctor } from './commands/doctor.ts'
import { CONFIRM_CHOICES } from './commands/follow.ts'
import { commit, pullRequest, push, TASKS } from './commands/git.ts'
import { login, logout } from './commands/login.ts'
import { serveMcp } from './commands/mcp.ts'
import { run } from './commands/run.ts'
import { changeSandbox, execInSandbox, listSandboxes, startSandbox } from './commands/sandboxes.ts'
import { serve, stopService } from './commands/serve.ts'
import { getSetting, setSetting } from './commands/settings.ts'
import { exportData, importData } from './commands/transfer.ts'
import { completionScript, SHELLS } from './completion.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Session } from './session.ts'

/** Runs one command; the options are those of the command itself. */
type Start = (work: (session: Session) => Promise<ExitCode> | ExitCode) => Promise<void>

/** The tree of commands. `start` is called once, for the one that was named. */
export function createProgram(version: string, start: Start): Command {
  const program = new Command('atelier')
    .description('Runs software-development agents on your own machine, each conversation in its own sandbox.')
    .version(version)
    .option('--json', 'print results as lines of JSON')
    .option('--no-color', 'print without colours')
    .option('--key <key>', 'key of the API; better is SESSION_API_KEY, which other programs do not see')
    .option('--url <url>', 'address of the service, in place of the running app')
    .option('--data-dir <folder>', 'data folder of the app')
    .option('--start', 'start the service without a window when none runs')
    .addHelpText('after', HELP)
    .showSuggestionAfterError()
  addConversations(program, start)
  addChanges(program, start)
  addRepository(program, start)
  addSandboxes(program, start)
  addSettings(program, start)
  addTransfer(program, start)
  addService(program, start)
  program
    .command('completion')
    .description('print the script that completes this command')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) =>
      start(({ terminal }) => {
        terminal.print(completionScript(program, shell))
        return EXIT.done
      }),
    )
  return program
}

export const EXIT_CODES =
  '0 done, 1 failed, 2 usage, 3 no service, 4 refused, 5 waits for a person, 6 changes do not fit, 130 interrupted.'

const HELP = `\nExit codes: ${EXIT_CODES}`

const ID = 'id of the conversation, or its beginning'

function withFollowOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--confirm <choice>', 'what to do about actions that wait').choices(CONFIRM_CHOICES).default('ask'),
    )
    .addOption(
      new Option('--on-interrupt <choice>', 'what Ctrl-C does to the agent')
        .choices(['detach', 'stop'])
        .default('detach'),
    )
}

function addConversations(program: Command, start: Start): void {
  withFollowOptions(
    program
      .command('run')
      .description('start a task')
      .argument('<task>', 'what the agent is asked to do; - reads it from stdin')
      .option('--repo <repository>', 'repository to clone: a git URL, or owner/name')
      .option('--branch <branch>', 'branch to check out')
      .addOption(new Option('--provider <provider>', 'where owner/name lies').choices(GIT_PROVIDERS))
      .option('--folder <folder>', 'folder of this computer to work on')
      .addOption(
        new Option('--mode <mode>', 'work on a copy of the folder, in a new worktree beside it, or in it')
          .choices(folderMode.options)
          .default('copy'),
      )
      .option('-y, --yes', 'do not ask before the agent works in the folder itself')
      .option('--model <model>', 'model, as provider/model')
      .option('--title <title>', 'title of the conversation')
      .option('--spec <id>', 'sandbox spec to start the sandbox from')
      .option('--plan', 'only write a plan')
      .option('--max-iterations <count>', 'steps until the agent pauses', parsePositive)
      .option('--max-budget <dollars>', 'cost until the agent pauses', parsePositive)
      .option('--confirm-each', 'ask before every action')
      .option('-f, --follow', 'show what happens until the agent is done'),
  ).action((task, options) => start(session => run(session, task, options)))
  program
    .command('list')
    .description('list conversations, newest first')
    .option('-n, --limit <count>', 'how many at most', parsePositive, 20)
    .action(options => start(session => list(session, options)))
  program
    .command('show')
    .description('show a conversation and the last answer of its agent')
    .argument('<id>', ID)
    .action(id => start(session => show(session, id)))
  withFollowOptions(
    program
      .command('attach')
      .description('show what happens in a conversation, and answer what its agent asks')
      .argument('<id>', ID)
      .option('--all', 'begin with the first event'),
  ).action((id, options) => start(session => attach(session, id, options)))
  withFollowOptions(
    program
      .command('send')
      .description('send a message')
      .argument('<id>', ID)
      .argument('<message>', 'the message; - reads it from stdin')
      .option('-f, --follow', 'show what happens until the agent is done'),
  ).action((id, message, options) => start(session => send(session, id, message, options)))
  program
    .command('stop')
    .description('stop the agent now')
    .argument('<id>', ID)
    .action(id => start(session => stop(session, id)))
}

function addChanges(program: Command, start: Start): void {
  program
    .command('diff')
    .description('print what a conversation has changed, as a patch')
    .argument('<id>', ID)
    .action(id => start(session => diff(session, id)))
  program
    .command('apply')
    .description('apply what a conversation has changed to its folder, or to a local git folder: all of it or nothing')
    .argument('<id>', ID)
    .option('--folder <folder>', 'another folder than the one that it began with; without one, the present folder')
    .addOption(new Option('--check', 'only say whether they fit').conflicts(['branch', 'undo']))
    .addOption(new Option('--branch [name]', "put them on a new branch of the folder's repository").conflicts('undo'))
    .addOption(
      new Option('--conflicts <choice>', 'which file stays where both have changed')
        .choices(CONFLICT_CHOICES)
        .default('refuse'),
    )
    .option('--undo', 'take back what was applied last')
    .action((id, options) => start(session => apply(session, id, options)))
}

function addRepository(program: Command, start: Start): void {
  program
    .command('commit')
    .description('commit what a conversation has changed, in its sandbox')
    .argument('<id>', ID)
    .argument('[files...]', 'files of the repository; all that has changed unless some are named')
    .option('-m, --message <text>', 'message of the commit; - reads it from stdin. Without one the model drafts it')
    .option('--branch <name>', 'new branch to make the commit on')
    .option('--staged', 'only what is staged')
    .option('--amend', 'replace the last commit')
    .action((id, files, options) => start(session => commit(session, id, files, options)))
  program
    .command('push')
    .description('push the branch of a conversation, never by force')
    .argument('<id>', ID)
    .option('-y, --yes', 'do not ask')
    .action((id, options) => start(session => push(session, id, options)))
  program
    .command('pr')
    .description('open a pull request of the branch that was pushed, or see what became of it')
    .argument('<id>', ID)
    .option('--title <title>', 'its title; without one the model drafts title and description')
    .option('--body <text>', 'its description, in Markdown; - reads it from stdin')
    .option('--base <branch>', 'branch that it is to be merged into')
    .option('--reviewer <names...>', 'users of the provider who are asked to review it')
    .option('--draft', 'open it as a draft')
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option('--status', 'show its checks, reviews and open comments').conflicts([
        'task',
        'title',
        'body',
        'base',
        'reviewer',
        'draft',
      ]),
    )
    .addOption(new Option('--task <task>', 'let the agent work on it').choices(Object.keys(TASKS)))
    .action((id, options) => start(session => pullRequest(session, id, options)))
}

function addSandboxes(program: Command, start: Start): void {
  const sandboxes = program.command('sandboxes').description('list sandboxes, and use them without an agent')
  sandboxes
    .command('list', { isDefault: true })
    .description('list sandboxes, newest first')
    .action(() => start(listSandboxes))
  sandboxes
    .command('start')
    .description('start a sandbox')
    .option('--spec <id>', 'sandbox spec to start from')
    .action(options => start(session => startSandbox(session, options)))
  for (const act of ['pause', 'resume', 'delete'] as const) {
    sandboxes
      .command(act)
      .description(`${act} a sandbox`)
      .argument('<id>', 'id of the sandbox')
      .action(id => start(session => changeSandbox(session, id, act)))
  }
  sandboxes
    .command('exec')
    .description('run a command in a sandbox; ends with its exit status')
    .argument('<id>', 'id of the sandbox')
    .argument('<command...>', 'a line for the shell, or a program and its arguments after --')
    .option('--cwd <folder>', 'folder to run it in')
    .option('--timeout <seconds>', 'seconds until it is ended', parsePositive)
    .action((id, words, options) => start(session => execInSandbox(session, id, words, options)))
}

function addSettings(program: Command, start: Start): void {
  const settings = program.command('settings').description('read and change settings')
  settings
    .command('get')
    .description('print settings; keys are never shown')
    .argument('[name]', 'name of the setting; all of them unless it is given')
    .action(name => start(session => getSetting(session, name)))
  settings
    .command('set')
    .description('change a setting')
    .argument('<name>', 'name of the setting')
    .argument('<value>', 'value; - reads it from stdin, null clears it')
    .action((name, value) => start(session => setSetting(session, name, value)))
}

function addTransfer(program: Command, start: Start): void {
  program
    .command('export')
    .description('write conversations, settings and sandbox specs to a file, for another computer')
    .argument('<file>', 'file to write, such as mine.atelier-data.zip')
    .option('--secrets', 'with the values of secrets, encrypted; reads a passphrase from stdin')
    .option('--working-folders', 'with every file of the working folders of conversations, also what may be secret')
    .option('--force', 'replace a file that is there')
    .action((file, options) => start(session => exportData(session, file, options)))
  program
    .command('import')
    .description('show what such a file, or a folder of OpenHands, holds, then add what is not here yet')
    .argument('<file>', 'file that was exported, or folder such as ~/.openhands')
    .option('--check', 'only show what it holds')
    .option('--settings', 'take its settings over too')
    .option('--secrets', 'with the values of its secrets; reads the passphrase of a file from stdin')
    .option('-y, --yes', 'do not ask')
    .action((file, options) => start(session => importData(session, file, options)))
}

function addService(program: Command, start: Start): void {
  program
    .command('login')
    .description('let this command read the key of the app from the keychain')
    .option('-y, --yes', 'do not ask')
    .action(options => start(session => login(session, options)))
  program
    .command('logout')
    .description('take that back')
    .action(() => start(logout))
  program
    .command('doctor')
    .description('check what Atelier stands on, and say what repairs it; ends with 1 when something cannot work')
    .option('--model', 'ask the model three short questions too, which costs something')
    .action(options => start(session => doctor(session, options)))
  program
    .command('mcp')
    .description('serve tools for another agent over stdin and stdout (Model Context Protocol)')
    .action(() => start(serveMcp))
  program
    .command('serve')
    .description('run the service without a window')
    .option('--stop', 'end the one that runs')
    .action(({ stop: stops }) => start(stops ? stopService : serve))
}

function parsePositive(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('It is no positive number.')
}
