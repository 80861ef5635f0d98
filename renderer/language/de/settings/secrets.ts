export const settingsSecrets = {
  nameIsStored: '{name} ist gespeichert.',
  addSecret: 'Secret hinzufügen',
  add: 'Hinzufügen',
  itGoesToKeychain: 'Er kommt in den Schlüsselbund und wird nie wieder angezeigt.',
  itIsKeptInMemory:
    'Er bleibt im Arbeitsspeicher, bis Atelier beendet wird, weil kein Schlüsselbund verfügbar ist, und wird nie wieder angezeigt.',
  secretIsChanged: 'Das Secret ist geändert.',
  editSecret: 'Secret bearbeiten',
  save: 'Speichern',
  emptyKeepsStoredValue: 'Leer behält den gespeicherten Wert.',
  name: 'Name',
  asCommandNames: 'So, wie ein Befehl es nennt: Buchstaben, Ziffern und _.',
  value: 'Wert',
  description: 'Beschreibung',
  modelReads: 'Das Modell liest sie.',
  loadingSecrets: 'Secrets werden geladen',
  secrets: 'Secrets',
  noSecretsYet: 'Noch keine Secrets.',
  deleteSecret: 'Das Secret löschen?',
  delete: 'Löschen',
  nameIsDeleted: '{name} ist gelöscht.',
  aboutSecrets:
    'Ein Befehl des Agenten bekommt ein Secret als Umgebungsvariable, wenn er es nennt, wie in <code>$NPM_TOKEN</code>. Das Modell sieht Namen und Beschreibungen, nie Werte; was ein Befehl von einem Wert ausgibt, wird maskiert.',
  secretIsRemoved:
    '<mono>{name}</mono> wird aus dem Schlüsselbund entfernt und kann nicht zurückgeholt werden. Befehle, die es nennen, bekommen nichts.',
}
