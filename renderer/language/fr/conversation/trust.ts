export const conversationTrust = {
  sandboxIsNotRunning: 'La sandbox n’est pas en marche. Reprenez-la d’abord.',
  thisRepositoryIsTrusted: 'Ce dépôt a votre confiance.',
  stillToDo: 'Reste à faire : {detail}',
  runNow: 'Exécuter',
  notNow: 'Pas maintenant',
  repositorySetupFailed: 'Le dépôt n’a pas pu être préparé.',
  tryAgain: 'Réessayer',
  dismiss: 'Fermer',
  trustOfThisRepository: 'Confiance envers ce dépôt',
  whatRunsAutomatically: 'Ce qui s’exécute automatiquement',
  trustQuestion:
    'Des parties de ce dépôt s’exécutent automatiquement. Elles ne reçoivent aucun de vos secrets tant que vous ne faites pas confiance à cette version. La conversation fonctionne sans elles.',
  trust: 'Faire confiance',
  youAreAskedAgain: 'La question est reposée quand cela change.',
  setUpScript: 'Script de préparation',
  gitHook: 'Hook git',
  toolServer: 'Serveur d’outils',
  trusted: 'de confiance',
  thisFileIsNotText: 'Ce fichier n’est pas du texte.',
  showLess: 'Afficher moins',
  runsAtStartWithoutSecrets: 'S’exécute au démarrage d’une conversation. N’utilise aucun de vos secrets.',
  runsAtStartWithSecrets:
    'S’exécute au démarrage d’une conversation. Avec votre confiance, il reçoit les secrets nommés ici.',
  runsOnEveryCommit: 'S’exécute à chaque commit de l’agent, avec les secrets qu’utilise la commande de l’agent.',
  startsWithAgent:
    'Démarre avec l’agent. Vous l’avez configuré avec les secrets nommés ici, et il exécute des fichiers de ce dépôt.',
  agentCanGiveItTasks:
    'L’agent peut lui confier des tâches. Avec votre confiance, ses commandes reçoivent les secrets qu’elles utilisent.',
  settingUp: 'Préparation du dépôt : {detail}',
  isSetUp: 'Le dépôt est préparé. {detail}',
  doYouTrust: 'Faites-vous confiance à {repository} ?',
  keyToFocus: '<key></key> pour y aller',
  subAgent: 'Sous-agent',
  binaryFile: 'Fichier binaire ou volumineux, {size}. SHA-256 {sha256}',
  showFiles: 'Afficher {files, plural, one {# fichier de plus} other {# fichiers de plus}}',
  showLines: 'Afficher les {lines, number} lignes',
  showLinesAndFiles:
    'Afficher les {lines, number} lignes et {files, plural, one {# fichier de plus} other {# fichiers de plus}}',
  skillWithCommands: 'Skill avec commandes',
  agentCanReadSkill:
    'L’agent peut le lire. Avec votre confiance, les commandes de son texte, écrites !`commande`, s’exécutent alors dans la sandbox, sans vos secrets.',
  services: 'Services',
  startWithConversation:
    'Ils démarrent avec une conversation, à côté de sa sandbox et dans son réseau. Leurs images sont récupérées par votre propre réseau. Ils ne reçoivent aucun de vos secrets.',
}
