export const storageQuestion = {
  waitUntilItIsDone: 'Wait until it is done.',
  startOverWithSandboxes: 'Start over with the sandboxes',
  conversationsAndSettingsAreGone:
    'Conversations and settings are gone. The sandboxes, with the files of the agents, are listed under Sandboxes.',
  keepSandboxes: 'Keep the sandboxes',
  startOverWithoutThem: 'Start over without them',
  asOnFirstDay: 'As on the first day. The sandboxes stay in the Docker engine, and Atelier does not show them.',
  startEmpty: 'Start empty',
  restoreBackup: 'Restore a backup',
  conversationsAndSettingsComeBack:
    'Conversations and settings come back as they were then. What was stored later is missing.',
  thereIsNoBackup: 'There is no backup in this data folder.',
  backup: 'Backup',
  restore: 'Restore',
  openingDatabase: 'Opening the database',
  restoringBackup: 'Restoring the backup, and opening it…',
  makingNewDatabase: 'Making a new database, and looking for the sandboxes…',
  makingNewDatabase2: 'Making a new database…',
  databaseIsMissing: 'The database is missing',
  databaseIsDamaged: 'The database is damaged',
  atelierWasUsed:
    'Atelier was used with this data folder before, but its database is missing or empty. Conversations and settings are in it. Nothing was changed so far.',
  nothingInDatabase:
    'Nothing in the database can be read, and there is no backup that could take its place. Its files are kept, whatever you choose.',
  thatCouldNotBeDone: 'That could not be done.',
  tryAgain: 'Try again',
  quitAtelier: 'Quit Atelier',
  putFileBack: 'Or put the file atelier.db back where it was, and start again.',
  stopAndPutFileBack: 'Or put the file atelier.db back where it was, after stopping the service, and start again.',
} as const
