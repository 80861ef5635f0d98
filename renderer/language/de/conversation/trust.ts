export const conversationTrust = {
  sandboxIsNotRunning: 'Die Sandbox läuft nicht. Setzen Sie sie zuerst fort.',
  thisRepositoryIsTrusted: 'Diesem Repository wird vertraut.',
  stillToDo: 'Noch zu tun: {detail}',
  runNow: 'Jetzt ausführen',
  notNow: 'Nicht jetzt',
  repositorySetupFailed: 'Das Repository konnte nicht eingerichtet werden.',
  tryAgain: 'Erneut versuchen',
  dismiss: 'Schließen',
  trustOfThisRepository: 'Vertrauen in dieses Repository',
  whatRunsAutomatically: 'Was automatisch läuft',
  trustQuestion:
    'Teile dieses Repositorys laufen automatisch. Sie bekommen keines Ihrer Secrets, bis Sie dieser Version von ihnen vertrauen. Die Unterhaltung funktioniert auch ohne.',
  trust: 'Vertrauen',
  youAreAskedAgain: 'Sie werden wieder gefragt, wenn es sich ändert.',
  setUpScript: 'Setup-Skript',
  gitHook: 'Git-Hook',
  toolServer: 'Tool-Server',
  trusted: 'vertrauenswürdig',
  thisFileIsNotText: 'Diese Datei ist kein Text.',
  showLess: 'Weniger anzeigen',
  runsAtStartWithoutSecrets: 'Läuft, wenn eine Unterhaltung startet. Es verwendet keines Ihrer Secrets.',
  runsAtStartWithSecrets:
    'Läuft, wenn eine Unterhaltung startet. Mit Ihrem Vertrauen bekommt es die hier genannten Secrets.',
  runsOnEveryCommit:
    'Läuft bei jedem Commit, den der Agent macht, mit den Secrets, die der Befehl des Agenten verwendet.',
  startsWithAgent:
    'Startet mit dem Agenten. Sie haben ihn mit den hier genannten Secrets eingerichtet, und er führt Dateien dieses Repositorys aus.',
  agentCanGiveItTasks:
    'Der Agent kann ihm Aufgaben geben. Mit Ihrem Vertrauen bekommen seine Befehle die Secrets, die sie verwenden.',
  settingUp: 'Repository wird eingerichtet: {detail}',
  isSetUp: 'Das Repository ist eingerichtet. {detail}',
  doYouTrust: 'Vertrauen Sie {repository}?',
  keyToFocus: '<key></key> zum Fokussieren',
  subAgent: 'Sub-Agent',
  binaryFile: 'Binäre oder große Datei, {size}. SHA-256 {sha256}',
  showFiles: '{files, plural, one {# weitere Datei} other {# weitere Dateien}} anzeigen',
  showLines: 'Alle {lines, number} Zeilen anzeigen',
  showLinesAndFiles:
    'Alle {lines, number} Zeilen und {files, plural, one {# weitere Datei} other {# weitere Dateien}} anzeigen',
  skillWithCommands: 'Skill mit Befehlen',
  agentCanReadSkill:
    'Der Agent kann ihn lesen. Mit Ihrem Vertrauen laufen dabei die Befehle in seinem Text, geschrieben als !`command`, in der Sandbox, ohne Ihre Secrets.',
  services: 'Dienste',
  startWithConversation:
    'Sie starten mit einer Unterhaltung, neben ihrer Sandbox und in deren Netzwerk. Ihre Images werden über Ihr eigenes Netzwerk geholt. Sie erhalten keines Ihrer Geheimnisse.',
}
