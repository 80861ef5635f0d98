export const settingsSecrets = {
  nameIsStored: '{name} is stored.',
  addSecret: 'Add a secret',
  add: 'Add',
  itGoesToKeychain: 'It goes to the keychain, and is never shown again.',
  itIsKeptInMemory:
    'It is kept in memory until Atelier quits, because no keychain is available, and is never shown again.',
  secretIsChanged: 'The secret is changed.',
  editSecret: 'Edit secret',
  save: 'Save',
  emptyKeepsStoredValue: 'Empty keeps the stored value.',
  name: 'Name',
  asCommandNames: 'As a command names it: letters, digits and _.',
  value: 'Value',
  description: 'Description',
  modelReads: 'The model reads it.',
  loadingSecrets: 'Loading the secrets',
  secrets: 'Secrets',
  noSecretsYet: 'No secrets yet.',
  deleteSecret: 'Delete the secret?',
  delete: 'Delete',
  nameIsDeleted: '{name} is deleted.',
  aboutSecrets:
    'A command of the agent gets a secret as an environment variable when it names it, as in <code>$NPM_TOKEN</code>. The model sees names and descriptions, never values; what a command prints of a value is masked.',
  secretIsRemoved:
    '<mono>{name}</mono> is removed from the keychain, and cannot be brought back. Commands that name it get nothing.',
} as const
