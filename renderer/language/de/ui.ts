export const ui = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  tryAgain: 'Erneut versuchen',
  openSettingsModel: 'Einstellungen › Modell öffnen',
  seeWhatToDo: 'Lösung ansehen',
  characterThatCannotBeSeen: 'Ein unsichtbares Zeichen, das die Reihenfolge des folgenden Textes umkehrt.',
  secretStandsHere: 'Hier steht ein Secret. Sein Wert ist verborgen.',
  secret: 'Secret',
  choose: 'Auswählen …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  notices: 'Hinweise',
}
