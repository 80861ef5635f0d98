export const storageQuestion = {
  waitUntilItIsDone: 'Warten Sie, bis es fertig ist.',
  startOverWithSandboxes: 'Neu anfangen, mit den Sandboxes',
  startOverWithSandboxesHint:
    'Unterhaltungen und Einstellungen sind weg. Die Sandboxes mit den Dateien der Agenten stehen unter „Sandboxes“.',
  keepSandboxes: 'Sandboxes behalten',
  startOverWithoutThem: 'Neu anfangen, ohne sie',
  asOnFirstDay: 'Wie am ersten Tag. Die Sandboxes bleiben in der Docker-Engine, und Atelier zeigt sie nicht an.',
  startEmpty: 'Leer anfangen',
  restoreBackup: 'Backup wiederherstellen',
  restoreHint:
    'Unterhaltungen und Einstellungen kommen so zurück, wie sie damals waren. Was später gespeichert wurde, fehlt.',
  thereIsNoBackup: 'In diesem Datenordner gibt es kein Backup.',
  backup: 'Backup',
  restore: 'Wiederherstellen',
  openingDatabase: 'Datenbank wird geöffnet',
  restoringBackup: 'Backup wird wiederhergestellt und geöffnet …',
  makingNewDatabase: 'Neue Datenbank wird angelegt, Sandboxes werden gesucht …',
  makingEmptyDatabase: 'Neue Datenbank wird angelegt …',
  databaseIsMissing: 'Die Datenbank fehlt',
  databaseIsDamaged: 'Die Datenbank ist beschädigt',
  databaseIsNewer: 'Die Datenbank ist von einem neueren Atelier',
  tablesAreNotKnown:
    'Diese Version kennt ihre Tabellen nicht und hat nichts geändert. Ein Backup von vor dem Update kann an ihre Stelle treten; die heutige Datenbank bleibt dann im Datenordner erhalten.',
  installNewerAgain:
    'Oder beenden Sie Atelier, und installieren Sie die neuere Version wieder: Sie öffnet die Datenbank, wie sie ist.',
  atelierWasUsed:
    'Atelier wurde mit diesem Datenordner schon benutzt, aber seine Datenbank fehlt oder ist leer. Unterhaltungen und Einstellungen liegen darin. Bisher wurde nichts geändert.',
  nothingInDatabase:
    'Nichts in der Datenbank kann gelesen werden, und es gibt kein Backup, das sie ersetzen könnte. Ihre Dateien bleiben erhalten, was immer Sie wählen.',
  thatCouldNotBeDone: 'Das hat nicht geklappt.',
  tryAgain: 'Erneut versuchen',
  quitAtelier: 'Atelier beenden',
  putFileBack: 'Oder legen Sie die Datei atelier.db dorthin zurück, wo sie war, und starten Sie neu.',
  orPutFileBack: 'Oder stoppen Sie den Dienst, legen die Datei atelier.db dorthin zurück, wo sie war, und starten neu.',
}
