export const settingsUpdates = {
  updates: 'Updates',
  aboutUpdates:
    'Atelier fragt höchstens einmal am Tag, ob es eine neuere Version gibt. Die Anfrage verrät nichts über Sie oder diesen Computer.',
  noFeed:
    'Dieses Paket wurde ohne Quelle für Updates gebaut. Holen Sie neuere Versionen dort, wo Sie diese geholt haben.',
  brokenFeed:
    'Die Quelle für Updates, die dieses Paket nennt, ist nicht brauchbar. Holen Sie neuere Versionen dort, wo Sie diese geholt haben.',
  neverChecked: 'Version {version}. Nach einer neueren wurde noch nie gesucht.',
  upToDate: 'Version {version}. Eine neuere war {moment} nicht bekannt.',
  checkNow: 'Jetzt suchen',
  checking: 'Wird gesucht …',
  cancel: 'Abbrechen',
  isAvailable: 'Version {version} ist verfügbar',
  wasBefore: 'Version {version}, die vorher lief',
  released: 'Erschienen {moment}',
  whatIsNew: 'Was neu ist',
  downloadOf: 'Herunterladen, {bytes}',
  downloading: 'Version {version} wird heruntergeladen',
  downloaded: '{received} von {total}',
  ready: 'Version {version} ist heruntergeladen und geprüft',
  olderIsReady: 'Version {version}, die vorher lief, ist heruntergeladen und geprüft',
  willBeInstalled:
    'Sie wird installiert, wenn Sie Atelier beenden, nach einem Backup der Datenbank. Das System fragt vielleicht nach Ihrem Passwort.',
  restartAndInstall: 'Neu starten und installieren',
  restartAsks: 'Arbeiten gerade Agenten, werden Sie vorher gefragt.',
  installing: 'Backup wird gemacht, dann wird Version {version} installiert …',
  installsByHand:
    'Diese Installation kann Atelier nicht selbst ersetzen. Laden Sie das Paket herunter, vergleichen Sie sein SHA-512 (in Base64), und installieren Sie es selbst.',
  checkByHand: 'SHA-512',
  goBack: 'Zurück zu {version}',
  goBackHint: 'Die Version, die vorher lief, wird geholt und geprüft; installiert wird sie, wenn Sie Atelier beenden.',
  goBackNewerData:
    'Kann sie die heutige Datenbank nicht lesen, bietet sie das Backup von vor dem Update an: {backup}. Was später gespeichert wurde, fehlt dann.',
  updateFailed: 'Das Update hat nicht geklappt.',
  unreachable:
    'Die Quelle für Updates war nicht zu erreichen. Prüfen Sie das Netzwerk, und suchen Sie dann noch einmal.',
  badSignature:
    'Was die Quelle für Updates sagt, haben die Hersteller dieses Pakets nicht signiert. Nichts wurde heruntergeladen. Suchen Sie später noch einmal; bleibt es so, holen Sie die neue Version dort, wo Sie diese geholt haben.',
  badFeed:
    'Was die Quelle für Updates sagt, ist nicht brauchbar. Nichts wurde installiert. Suchen Sie später noch einmal.',
  cutOff:
    'Die Verbindung brach ab, bevor das ganze Paket da war. Was schon da war, wurde entfernt. Laden Sie es noch einmal herunter.',
  wrongFile:
    'Das Paket ist nicht das, das die Hersteller signiert haben. Es wurde entfernt. Laden Sie es noch einmal herunter; bleibt es so, warten Sie auf eine andere Version.',
  diskFull:
    'Der Datenträger ist voll. Was vom Paket schon da war, wurde entfernt. Schaffen Sie Platz, und laden Sie es dann noch einmal herunter.',
  noBackup:
    'Von der Datenbank konnte kein Backup gemacht werden, darum wurde nichts installiert. Sehen Sie in Einstellungen › Speicher nach, und versuchen Sie es dann noch einmal.',
  notPermitted:
    'Das System hat die Installation nicht erlaubt: Das Passwort wurde nicht gegeben, oder in diesen Ordner kann nicht geschrieben werden. Versuchen Sie es noch einmal.',
  notInstalled:
    'Das Paket konnte nicht installiert werden. Diese Version läuft weiter. Versuchen Sie es noch einmal, oder installieren Sie das Paket selbst.',
}
