export const storageQuestion = {
  waitUntilItIsDone: 'Wait until it is done.',
  startOverWithSandboxes: 'Start over with the sandboxes',
  startOverWithSandboxesHint:
    'Conversations and settings are gone. The sandboxes, with the files of the agents, are listed under Sandboxes.',
  keepSandboxes: 'Keep the sandboxes',
  startOverWithoutThem: 'Start over without them',
  asOnFirstDay: 'As on the first day. The sandboxes stay in the Docker engine, and Atelier does not show them.',
  startEmpty: 'Start empty',
  restoreBackup: 'Restore a backup',
  restoreHint: 'Conversations and settings come back as they were then. What was stored later is missing.',
  thereIsNoBackup: 'There is no backup in this data folder.',
  backup: 'Backup',
  restore: 'Restore',
  openingDatabase: 'Opening the database',
  restoringBackup: 'Restoring the backup, and opening it…',
  makingNewDatabase: 'Making a new database, and looking for the sandboxes…',
  makingEmptyDatabase: 'Making a new database…',
  databaseIsMissing: 'The database is missing',
  databaseIsDamaged: 'The database is damaged',
  databaseIsNewer: 'The database is of a newer Atelier',
  tablesAreNotKnown:
    'This version does not know its tables and has changed nothing. A backup from before the update can take its place; the database of today is then kept in the data folder.',
  installNewerAgain: 'Or quit, and install the newer version again: it opens the database as it is.',
  atelierWasUsed:
    'Atelier was used with this data folder before, but its database is missing or empty. Conversations and settings are in it. Nothing was changed so far.',
  nothingInDatabase:
    'Nothing in the database can be read, and there is no backup that could take its place. Its files are kept, whatever you choose.',
  thatCouldNotBeDone: 'That could not be done.',
  tryAgain: 'Try again',
  quitAtelier: 'Quit Atelier',
  putFileBack: 'Or put the file atelier.db back where it was, and start again.',
  orPutFileBack: 'Or put the file atelier.db back where it was, after stopping the service, and start again.',
} as const
