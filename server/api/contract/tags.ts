/** The groups of operations, and what each is about, in the order in which a reader sees them. */
export const TAGS = {
  'App conversations':
    'Conversations of the newer generation: start them, talk to the agent, branch off, read and change them.',
  Folders: 'Folders of this computer that conversations work on.',
  'Pending messages': 'Messages to a conversation that is still starting.',
  Events: 'The log of a conversation: messages, actions, observations and changes of state, in their order.',
  Search: 'What stands in all conversations: messages, commands, outputs, files and changes.',
  Sandboxes: 'The environments that agents work in, and the specs that they are started from.',
  Engines: 'Container engines that sandboxes run on; several at once.',
  Previews: 'What programs in a sandbox serve, for a browser on this machine.',
  Terminals: 'Shells of people in a sandbox, beside that of the agent.',
  'Tool servers': 'Servers of the Model Context Protocol that give agents further tools, and how to sign in to them.',
  'Skills and hooks': 'Instructions for agents, and commands that run at certain moments of their work.',
  'Trust of repositories': 'What of a repository may run by itself, and with which secrets.',
  Settings: 'What new conversations begin with, and what clients keep for the user.',
  'Saved models': 'Models with their address and key under a name.',
  Profiles: 'Models with their address and key under a name, in the words of agent servers.',
  Secrets:
    'Secrets of the user and tokens of git providers. They are kept in the keychain, and their values are told to nobody.',
  Storage: 'The database, its backups and the disk that holds them.',
  Data: 'Everything in one file, to move it to another computer.',
  System: 'What the service needs, whether it is there, and who may call.',
  Configuration: 'What can be chosen in the settings, by page.',
  Webhooks: 'What agent servers that run elsewhere report, with the key of their sandbox.',
  Conversations: 'Conversations in the words of existing clients.',
  Workspace: 'Files and changes in the sandbox of a conversation, in the words of the legacy generation.',
  Bash: 'Commands that a client runs in the sandbox, beside those of the agent.',
  Files: 'Files of the sandbox.',
  Git: 'Repositories of the sandbox: what has changed in them, and their commits.',
  Options: 'What existing web clients ask about the server.',
  'Git data of the user': 'Repositories, branches and tasks at the git providers whose tokens are stored.',
  Server: 'What the server is compatible with, and whether it answers.',
  'Not supported': 'Operations of agent servers that Atelier does not have. Each answers 501 with the reason.',
} as const

export type Tag = keyof typeof TAGS

/** Those that are used, for a document. */
export function describeTags(used: Iterable<string>): { name: string; description: string }[] {
  const names = new Set(used)
  return Object.entries(TAGS)
    .filter(([name]) => names.has(name))
    .map(([name, description]) => ({ name, description }))
}
