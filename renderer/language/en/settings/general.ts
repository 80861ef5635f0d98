export const settingsGeneral = {
  account: 'Account',
  storedForOtherClients: 'Only stored for other clients of the API.',
  systemLanguage: 'Language of the system',
  codeSetByAnotherClient: '{code} (set by another client)',
  play: 'Play',
  desktopNotifications:
    'When the agent is done, waits for you or stops, while this window is not in front. Kept at once, for this computer.',
  notificationsNeedInstalledApp: 'Notifications on the desktop need the installed app.',
  modelThatYouChoose: 'The model that you choose',
  yourMessages: 'Your messages, and what the agent reads and runs.',
  gitHosts: 'Git hosts',
  repositoriesThatYouName: 'The repositories that you name, with the tokens that you store for them.',
  imageRegistries: 'Image registries',
  nameOfImage: 'The name of an image that is not on this machine yet.',
  atelierWorksOnThisMachine:
    'Atelier works on this machine only: no account, no telemetry. Conversations stay in its data folder, keys in the keychain.',
  dataLeavesThisMachine: 'Data leaves this machine for',
  whatAgentRunsInSandbox: 'What an agent runs in a sandbox can reach the network too, where the sandbox has one.',
  analytics: 'Analytics',
} as const
