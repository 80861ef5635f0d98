export const settingsGeneral = {
  account: 'Konto',
  storedForOtherClients: 'Nur für andere Clients der API gespeichert.',
  systemLanguage: 'Sprache des Systems',
  codeSetByAnotherClient: '{code} (von einem anderen Client gesetzt)',
  play: 'Abspielen',
  desktopNotifications:
    'Wenn der Agent fertig ist, auf Sie wartet oder anhält, solange dieses Fenster nicht im Vordergrund ist. Wird sofort gespeichert, für diesen Computer.',
  notificationsNeedInstalledApp: 'Für Benachrichtigungen auf dem Desktop ist die installierte App nötig.',
  modelThatYouChoose: 'Das Modell, das Sie wählen',
  yourMessages: 'Ihre Nachrichten und was der Agent liest und ausführt.',
  gitHosts: 'Git-Hosts',
  repositoriesThatYouName: 'Die Repositorys, die Sie nennen, mit den Tokens, die Sie dafür speichern.',
  imageRegistries: 'Image-Registrys',
  nameOfImage: 'Der Name eines Images, das noch nicht auf diesem Rechner ist.',
  atelierWorksOnThisMachine:
    'Atelier arbeitet nur auf diesem Rechner: kein Konto, keine Telemetrie. Unterhaltungen bleiben im Datenordner, Schlüssel im Schlüsselbund.',
  dataLeavesThisMachine: 'Daten verlassen diesen Rechner für',
  whatAgentRunsInSandbox:
    'Was ein Agent in einer Sandbox ausführt, kann auch das Netzwerk erreichen, sofern die Sandbox eines hat.',
  analytics: 'Nutzungsanalyse',
  themeSystem: 'Wie das System',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  textSmall: 'Klein',
  textUsual: 'Normal',
  textLarge: 'Groß',
  textLarger: 'Größer',
}
