export const conversationPreview = {
  ports: 'Ports der Sandbox',
  nothingListens: 'In der Sandbox lauscht nichts',
  nothingListensHint: 'Sobald dort ein Programm an einem Port lauscht, etwa ein Entwicklungsserver, erscheint es hier.',
  sandboxDoesNotRun: 'Die Sandbox läuft nicht',
  sandboxDoesNotRunHint: 'Ihre Ports erscheinen hier, solange sie läuft.',
  port: 'Port {port}',
  open: 'Öffnen',
  openPort: 'Port {port} im Browser öffnen',
  copyAddress: 'Adresse von Port {port} kopieren',
  addressHint:
    'Die Adressen gelten auf diesem Computer für alle, die sie kennen, bis Sie einen neuen API-Schlüssel erzeugen.',
  lookingForPorts: 'Ports werden gesucht',
}
