export const settingsTransfer = {
  exportAndImport: 'Move to another computer',
  aboutTransfer: 'Everything in one file, which Atelier on another computer adds to what it has.',
  exportAsks: 'Export …',
  importAsks: 'Import …',
  importFromOpenHands: 'Import from OpenHands …',
  doesNotComeOver: 'This will not come over:',
  exportedFile: 'Exported file',
  exportTitle: 'Export everything',
  exportHolds: 'The file holds all conversations, the settings, saved models, sandbox specs and the names of secrets.',
  exportLeavesOut:
    'Files in sandboxes, checkpoints and the trust in repositories stay here. Push or download what you need of them.',
  export: 'Export',
  cancel: 'Cancel',
  close: 'Close',
  stop: 'Stop',
  withSecretValues: 'With the values of keys and secrets, encrypted',
  passphrase: 'Passphrase',
  passphraseHint: 'At least 12 characters. Nobody can open the values without it, and Atelier does not store it.',
  passphraseIsWeak: 'Enter at least 12 characters, 6 of them different.',
  repeatPassphrase: 'Passphrase again',
  passphrasesDiffer: 'The two passphrases differ.',
  preparing: 'Preparing …',
  eventsOf: '{done, number} of {total, number} events',
  fileIsReady: 'The file is ready',
  saveFile: 'Save',
  fileHolds:
    '{conversations, plural, one {# conversation} other {# conversations}} with {events, plural, one {# event} other {# events}}, {bytes}.',
  isExported: 'Everything is exported.',
  damagedAreLeftOut:
    '{count, plural, one {# conversation cannot be read and is left out.} other {# conversations cannot be read and are left out.}}',
  specsAreLeftOut:
    'Sandbox specs whose image exists only on this computer are left out. Export each of them under Sandbox:',
  variablesAreLeftOut: 'Variables whose values may be secret are left out:',
  signInsAreLeftOut: 'Sign in to these git providers anew on the other computer:',
  importTitle: 'Import a file',
  bytesOf: '{done} of {total}',
  checking: 'Checking the file. Nothing is stored yet.',
  adding: 'Adding what is not here yet.',
  fileToImport: 'Add {name}?',
  versionAndMoment: 'Written by Atelier {version}, {moment}.',
  add: 'Add',
  countOfConversations:
    '{count, plural, one {# conversation} other {# conversations}}{present, plural, =0 {} one {, # of them here already} other {, # of them here already}}',
  countOfEvents: '{count, plural, one {# event} other {# events}}',
  countOfModels:
    '{count, plural, one {# saved model} other {# saved models}}{present, plural, =0 {} one {, # of them here already} other {, # of them here already}}',
  countOfSpecs:
    '{count, plural, one {# sandbox spec} other {# sandbox specs}}{present, plural, =0 {} one {, # of them here already} other {, # of them here already}}',
  countOfSecrets:
    '{count, plural, one {# secret} other {# secrets}}{present, plural, =0 {} one {, # of them here already} other {, # of them here already}}',
  unreadableEvents:
    '{count, plural, one {# event cannot be read. A notice takes its place.} other {# events cannot be read. A notice takes the place of each.}}',
  presentIsKept:
    'Conversations, saved models, sandbox specs, secrets, keys and tool servers that are here already stay as they are. A backup is made first.',
  takeSettings: 'Take over the settings of the file too',
  settingsWouldChange: 'These settings would change:',
  noSettingChanges: 'No setting would change.',
  settingIsNotSet: 'not set',
  settingIsOn: 'on',
  settingIsOff: 'off',
  takeSecretValues: 'Take over the values of keys and secrets',
  enterPassphrase: 'Enter the passphrase of the file.',
  isImported: 'The file is imported',
  importHasEnded: 'The import has ended',
  importWasStopped: 'It was stopped. Conversations that were already complete were kept.',
  wholeConversationsStay: 'Conversations that were already complete were kept.',
  addedConversations: '{count, plural, one {# conversation was added.} other {# conversations were added.}}',
  addedOthers: 'Added: {what}.',
  takenSettings: '{count, plural, one {# setting was taken over.} other {# settings were taken over.}}',
  keptConversations:
    '{count, plural, one {# conversation was here already and was kept.} other {# conversations were here already and were kept.}}',
  settingsAreKept:
    'These settings were not taken over. They protect this computer or belong to one, do not fit, or would send a key of yours to another address:',
  secretsHaveNoValue: 'These secrets need a value, which you enter under Secrets:',
  couldNotBeAdded: 'This could not be added:',
  undoWithBackup:
    'To undo the import, restore the backup that was made before it, under Backups. Values that were added to the keychain stay there.',
} as const
