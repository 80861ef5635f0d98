export const settingsGeneral = {
  account: 'Compte',
  storedForOtherClients: 'Seulement enregistré pour d’autres clients de l’API.',
  systemLanguage: 'Langue du système',
  codeSetByAnotherClient: '{code} (défini par un autre client)',
  play: 'Écouter',
  desktopNotifications:
    'Quand l’agent a terminé, vous attend ou s’arrête, et que cette fenêtre n’est pas au premier plan. Retenu aussitôt, pour cet ordinateur.',
  notificationsNeedInstalledApp: 'Les notifications sur le bureau nécessitent l’application installée.',
  modelThatYouChoose: 'Le modèle que vous choisissez',
  yourMessages: 'Vos messages, et ce que l’agent lit et exécute.',
  gitHosts: 'Hôtes git',
  repositoriesThatYouName: 'Les dépôts que vous indiquez, avec les jetons que vous enregistrez pour eux.',
  imageRegistries: 'Registres d’images',
  nameOfImage: 'Le nom d’une image qui n’est pas encore sur cette machine.',
  atelierWorksOnThisMachine:
    'Atelier ne travaille que sur cette machine : ni compte, ni télémétrie. Les conversations restent dans son dossier de données, les clés dans le trousseau.',
  dataLeavesThisMachine: 'Des données quittent cette machine pour',
  whatAgentRunsInSandbox:
    'Ce qu’un agent exécute dans une sandbox peut aussi accéder au réseau, si la sandbox en a un.',
  analytics: 'Statistiques d’usage',
  themeSystem: 'Comme le système',
  themeLight: 'Clair',
  themeDark: 'Sombre',
  textSmall: 'Petit',
  textUsual: 'Normal',
  textLarge: 'Grand',
  textLarger: 'Plus grand',
}
