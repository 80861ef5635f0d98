export const settingsTransfer = {
  exportAndImport: 'Changer d’ordinateur',
  aboutTransfer: 'Tout dans un seul fichier, qu’Atelier ajoute à ce qu’il a déjà sur un autre ordinateur.',
  exportAsks: 'Exporter…',
  importAsks: 'Importer…',
  importFromOpenHands: 'Importer depuis OpenHands…',
  importInstructions: 'Importer des instructions …',
  instructionsTitle: 'Instructions pour d’autres agents',
  aboutInstructions:
    'Ce que vous avez écrit pour d’autres programmes de cet ordinateur, comme CLAUDE.md et AGENTS.md. Ce que vous importez est lu par l’agent de chaque nouvelle conversation, et donc par son modèle.',
  lookingForInstructions: 'Recherche d’instructions',
  noInstructions: 'Il n’y en a pas sur cet ordinateur. Fichiers cherchés : {files}.',
  takeOver: 'Importer',
  takeOverAgain: 'Importer à nouveau',
  removeInstructions: 'Retirer',
  instructionsAreRead: 'Importé sous {file}.',
  instructionsHaveChanged: 'Le fichier a changé depuis son importation sous {file}.',
  instructionsAreGone: 'Le fichier n’existe plus. Les agents lisent toujours {file}.',
  chooseAnotherFolder: 'Choisir un autre dossier…',
  doesNotComeOver: 'Ceci ne sera pas repris :',
  exportedFile: 'Fichier exporté',
  exportTitle: 'Tout exporter',
  exportHolds:
    'Le fichier contient toutes les conversations, les paramètres, les modèles enregistrés, les specs de sandbox et les noms des secrets.',
  exportLeavesOut:
    'Les fichiers des sandbox, les points de contrôle et la confiance accordée aux dépôts restent ici. Poussez ou téléchargez ce dont vous avez besoin.',
  export: 'Exporter',
  cancel: 'Annuler',
  close: 'Fermer',
  stop: 'Arrêter',
  withSecretValues: 'Avec les valeurs des clés et des secrets, chiffrées',
  passphrase: 'Phrase secrète',
  passphraseHint:
    'Au moins 12 caractères. Personne ne peut ouvrir les valeurs sans elle, et Atelier ne la garde nulle part.',
  passphraseIsWeak: 'Saisissez au moins 12 caractères, dont 6 différents.',
  repeatPassphrase: 'Phrase secrète, à nouveau',
  passphrasesDiffer: 'Les deux phrases secrètes diffèrent.',
  preparing: 'Préparation…',
  eventsOf: '{done, number} événements sur {total, number}',
  fileIsReady: 'Le fichier est prêt',
  saveFile: 'Enregistrer',
  fileHolds:
    '{conversations, plural, one {# conversation} other {# conversations}} avec {events, plural, one {# événement} other {# événements}}, {bytes}.',
  isExported: 'Tout est exporté.',
  damagedAreLeftOut:
    '{count, plural, one {# conversation est illisible et n’est pas incluse.} other {# conversations sont illisibles et ne sont pas incluses.}}',
  specsAreLeftOut:
    'Les specs de sandbox dont l’image n’existe que sur cet ordinateur ne sont pas incluses. Exportez-les une par une sous Sandbox :',
  variablesAreLeftOut: 'Les variables dont la valeur peut être secrète ne sont pas incluses :',
  signInsAreLeftOut: 'Reconnectez-vous à ces fournisseurs git sur l’autre ordinateur :',
  importTitle: 'Importer',
  bytesOf: '{done} sur {total}',
  checking: 'Lecture en cours. Rien n’est encore enregistré.',
  adding: 'Ajout de ce qui n’est pas encore ici.',
  fileToImport: 'Ajouter {name} ?',
  versionAndMoment: 'Écrit par Atelier {version}, {moment}.',
  add: 'Ajouter',
  countOfConversations:
    '{count, plural, one {# conversation} other {# conversations}}{present, plural, =0 {} one {, dont # déjà ici} other {, dont # déjà ici}}',
  countOfEvents: '{count, plural, one {# événement} other {# événements}}',
  countOfModels:
    '{count, plural, one {# modèle enregistré} other {# modèles enregistrés}}{present, plural, =0 {} one {, dont # déjà ici} other {, dont # déjà ici}}',
  countOfSpecs:
    '{count, plural, one {# spec de sandbox} other {# specs de sandbox}}{present, plural, =0 {} one {, dont # déjà ici} other {, dont # déjà ici}}',
  countOfSecrets:
    '{count, plural, one {# secret} other {# secrets}}{present, plural, =0 {} one {, dont # déjà ici} other {, dont # déjà ici}}',
  unreadableEvents:
    '{count, plural, one {# événement est illisible. Un avis le remplace.} other {# événements sont illisibles. Un avis remplace chacun d’eux.}}',
  presentIsKept:
    'Les conversations, modèles enregistrés, specs de sandbox, secrets, clés et serveurs d’outils déjà présents restent tels quels. Une sauvegarde est faite d’abord.',
  takeSettings: 'Reprendre aussi les paramètres',
  settingsWouldChange: 'Ces paramètres changeraient :',
  noSettingChanges: 'Aucun paramètre ne changerait.',
  settingIsNotSet: 'non défini',
  settingIsOn: 'activé',
  settingIsOff: 'désactivé',
  takeSecretValues: 'Reprendre les valeurs des clés et des secrets',
  enterPassphrase: 'Saisissez la phrase secrète du fichier.',
  isImported: 'L’importation est complète',
  importHasEnded: 'L’importation est terminée',
  importWasStopped: 'Elle a été arrêtée. Les conversations déjà complètes restent.',
  wholeConversationsStay: 'Les conversations déjà complètes restent.',
  addedConversations: '{count, plural, one {# conversation a été ajoutée.} other {# conversations ont été ajoutées.}}',
  addedOthers: 'Ajout : {what}.',
  takenSettings: '{count, plural, one {# paramètre a été repris.} other {# paramètres ont été repris.}}',
  keptConversations:
    '{count, plural, one {# conversation était déjà ici et a été conservée.} other {# conversations étaient déjà ici et ont été conservées.}}',
  settingsAreKept:
    'Ces paramètres n’ont pas été repris. Ils protègent cet ordinateur ou sont propres à un ordinateur, ne conviennent pas, ou enverraient une de vos clés à une autre adresse :',
  secretsHaveNoValue: 'Ces secrets ont besoin d’une valeur, à saisir sous Secrets :',
  couldNotBeAdded: 'Ceci n’a pas pu être ajouté :',
  undoWithBackup:
    'Pour annuler l’importation, restaurez sous Sauvegardes celle qui a été faite juste avant. Les valeurs ajoutées au trousseau y restent.',
  exportWithFoldersLeavesOut:
    'Les points de contrôle, la confiance accordée aux dépôts et les fichiers des sandbox hors de leurs dossiers de travail restent ici.',
  withWorkingFolders: 'Avec les dossiers de travail des conversations',
  aboutWorkingFolders:
    'Tous leurs fichiers tels qu’ils sont dans la sandbox, y compris ce que git ignore et ce qui peut être secret, comme les fichiers .env. Sur l’autre ordinateur, une conversation continue avec eux dans une nouvelle sandbox.',
  foldersOf: '{done, number} dossiers de travail sur {total, number}',
  countOfFolders: '{count, plural, one {# dossier de travail} other {# dossiers de travail}}',
  foldersAreLeftOut: 'Ces dossiers de travail n’ont pas pu être emportés :',
}
