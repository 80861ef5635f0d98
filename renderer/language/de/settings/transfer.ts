export const settingsTransfer = {
  exportAndImport: 'Auf einen anderen Computer umziehen',
  aboutTransfer: 'Alles in einer Datei, die Atelier auf einem anderen Computer zu dem hinzufügt, was es dort gibt.',
  exportAsks: 'Exportieren …',
  importAsks: 'Importieren …',
  importFromOpenHands: 'Aus OpenHands importieren …',
  importInstructions: 'Anweisungen importieren …',
  instructionsTitle: 'Anweisungen für andere Agenten',
  aboutInstructions:
    'Was Sie auf diesem Computer für andere Programme geschrieben haben, etwa CLAUDE.md und AGENTS.md. Was Sie importieren, liest der Agent jeder neuen Unterhaltung und damit auch sein Modell.',
  lookingForInstructions: 'Anweisungen werden gesucht',
  noInstructions: 'Auf diesem Computer gibt es keine. Gesucht wurde: {files}.',
  takeOver: 'Importieren',
  takeOverAgain: 'Erneut importieren',
  removeInstructions: 'Entfernen',
  instructionsAreRead: 'Importiert als {file}.',
  instructionsHaveChanged: 'Die Datei hat sich geändert, seit sie als {file} importiert wurde.',
  instructionsAreGone: 'Die Datei ist weg. Agenten lesen weiterhin {file}.',
  chooseAnotherFolder: 'Anderen Ordner auswählen …',
  doesNotComeOver: 'Das kommt nicht mit:',
  exportedFile: 'Exportierte Datei',
  exportTitle: 'Alles exportieren',
  exportHolds:
    'Die Datei enthält alle Unterhaltungen, die Einstellungen, gespeicherte Modelle, Sandbox-Specs und die Namen der Secrets.',
  exportLeavesOut:
    'Dateien in Sandboxes, Checkpoints und das Vertrauen in Repositorys bleiben hier. Pushen Sie, was Sie davon brauchen, oder laden Sie es herunter.',
  export: 'Exportieren',
  cancel: 'Abbrechen',
  close: 'Schließen',
  stop: 'Anhalten',
  withSecretValues: 'Mit den Werten der Schlüssel und Secrets, verschlüsselt',
  passphrase: 'Passphrase',
  passphraseHint: 'Mindestens 12 Zeichen. Ohne sie kann niemand die Werte öffnen, und Atelier speichert sie nicht.',
  passphraseIsWeak: 'Geben Sie mindestens 12 Zeichen ein, davon 6 verschiedene.',
  repeatPassphrase: 'Passphrase wiederholen',
  passphrasesDiffer: 'Die beiden Passphrasen unterscheiden sich.',
  preparing: 'Wird vorbereitet …',
  eventsOf: '{done, number} von {total, number} Ereignissen',
  fileIsReady: 'Die Datei ist fertig',
  saveFile: 'Speichern',
  fileHolds:
    '{conversations, plural, one {# Unterhaltung} other {# Unterhaltungen}} mit {events, plural, one {# Ereignis} other {# Ereignissen}}, {bytes}.',
  isExported: 'Alles ist exportiert.',
  damagedAreLeftOut:
    '{count, plural, one {# Unterhaltung kann nicht gelesen werden und fehlt.} other {# Unterhaltungen können nicht gelesen werden und fehlen.}}',
  specsAreLeftOut:
    'Sandbox-Specs, deren Image nur auf diesem Computer ist, fehlen. Exportieren Sie sie einzeln unter Sandbox:',
  variablesAreLeftOut: 'Variablen, deren Werte geheim sein können, fehlen:',
  signInsAreLeftOut: 'Melden Sie sich auf dem anderen Computer bei diesen Git-Anbietern neu an:',
  importTitle: 'Importieren',
  bytesOf: '{done} von {total}',
  checking: 'Wird gelesen. Noch wird nichts gespeichert.',
  adding: 'Was hier noch fehlt, wird hinzugefügt.',
  fileToImport: '{name} hinzufügen?',
  versionAndMoment: 'Geschrieben von Atelier {version}, {moment}.',
  add: 'Hinzufügen',
  countOfConversations:
    '{count, plural, one {# Unterhaltung} other {# Unterhaltungen}}{present, plural, =0 {} one {, davon # schon hier} other {, davon # schon hier}}',
  countOfEvents: '{count, plural, one {# Ereignis} other {# Ereignisse}}',
  countOfModels:
    '{count, plural, one {# gespeichertes Modell} other {# gespeicherte Modelle}}{present, plural, =0 {} one {, davon # schon hier} other {, davon # schon hier}}',
  countOfSpecs:
    '{count, plural, one {# Sandbox-Spec} other {# Sandbox-Specs}}{present, plural, =0 {} one {, davon # schon hier} other {, davon # schon hier}}',
  countOfSecrets:
    '{count, plural, one {# Secret} other {# Secrets}}{present, plural, =0 {} one {, davon # schon hier} other {, davon # schon hier}}',
  unreadableEvents:
    '{count, plural, one {# Ereignis kann nicht gelesen werden. An seiner Stelle steht ein Hinweis.} other {# Ereignisse können nicht gelesen werden. An ihrer Stelle stehen Hinweise.}}',
  presentIsKept:
    'Unterhaltungen, gespeicherte Modelle, Sandbox-Specs, Secrets, Schlüssel und Tool-Server, die es hier schon gibt, bleiben, wie sie sind. Zuerst wird ein Backup erstellt.',
  takeSettings: 'Auch die Einstellungen übernehmen',
  settingsWouldChange: 'Diese Einstellungen würden sich ändern:',
  noSettingChanges: 'Keine Einstellung würde sich ändern.',
  settingIsNotSet: 'nicht gesetzt',
  settingIsOn: 'an',
  settingIsOff: 'aus',
  takeSecretValues: 'Die Werte der Schlüssel und Secrets übernehmen',
  enterPassphrase: 'Geben Sie die Passphrase der Datei ein.',
  isImported: 'Der Import ist abgeschlossen',
  importHasEnded: 'Der Import ist beendet',
  importWasStopped: 'Er wurde angehalten. Unterhaltungen, die bereits vollständig waren, wurden behalten.',
  wholeConversationsStay: 'Unterhaltungen, die bereits vollständig waren, wurden behalten.',
  addedConversations:
    '{count, plural, one {# Unterhaltung wurde hinzugefügt.} other {# Unterhaltungen wurden hinzugefügt.}}',
  addedOthers: 'Hinzugefügt: {what}.',
  takenSettings: '{count, plural, one {# Einstellung wurde übernommen.} other {# Einstellungen wurden übernommen.}}',
  keptConversations:
    '{count, plural, one {# Unterhaltung gab es hier schon. Sie ist geblieben.} other {# Unterhaltungen gab es hier schon. Sie sind geblieben.}}',
  settingsAreKept:
    'Diese Einstellungen wurden nicht übernommen. Sie schützen diesen Computer oder gehören zu einem bestimmten, passen nicht oder würden einen Ihrer Schlüssel an eine andere Adresse senden:',
  secretsHaveNoValue: 'Diese Secrets brauchen einen Wert, den Sie unter Secrets eingeben:',
  couldNotBeAdded: 'Das konnte nicht hinzugefügt werden:',
  undoWithBackup:
    'Um den Import rückgängig zu machen, stellen Sie unter Backups das Backup wieder her, das davor erstellt wurde. Werte, die zum Schlüsselbund hinzugefügt wurden, bleiben dort.',
  exportWithFoldersLeavesOut:
    'Checkpoints, das Vertrauen in Repositorys und Dateien der Sandboxes außerhalb ihrer Arbeitsordner bleiben hier.',
  withWorkingFolders: 'Mit den Arbeitsordnern der Unterhaltungen',
  aboutWorkingFolders:
    'Jede Datei darin, wie sie in der Sandbox liegt, auch was git ignoriert und was geheim sein kann, etwa .env-Dateien. Auf dem anderen Computer geht eine Unterhaltung damit in einer neuen Sandbox weiter.',
  foldersOf: '{done, number} von {total, number} Arbeitsordnern',
  countOfFolders: '{count, plural, one {# Arbeitsordner} other {# Arbeitsordner}}',
  foldersAreLeftOut: 'Diese Arbeitsordner konnten nicht mitgenommen werden:',
}
