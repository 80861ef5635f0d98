export const storageQuestion = {
  waitUntilItIsDone: 'Attendez que ce soit terminé.',
  startOverWithSandboxes: 'Repartir à zéro avec les sandbox',
  startOverWithSandboxesHint:
    'Les conversations et les paramètres disparaissent. Les sandbox, avec les fichiers des agents, sont listées sous Sandbox.',
  keepSandboxes: 'Garder les sandbox',
  startOverWithoutThem: 'Repartir à zéro sans elles',
  asOnFirstDay: 'Comme au premier jour. Les sandbox restent dans le moteur Docker, et Atelier ne les affiche pas.',
  startEmpty: 'Repartir à vide',
  restoreBackup: 'Restaurer une sauvegarde',
  restoreHint:
    'Les conversations et les paramètres redeviennent ce qu’ils étaient alors. Ce qui a été enregistré ensuite manque.',
  thereIsNoBackup: 'Il n’y a pas de sauvegarde dans ce dossier de données.',
  backup: 'Sauvegarde',
  restore: 'Restaurer',
  openingDatabase: 'Ouverture de la base de données',
  restoringBackup: 'Restauration et ouverture de la sauvegarde…',
  makingNewDatabase: 'Création d’une nouvelle base de données et recherche des sandbox…',
  makingEmptyDatabase: 'Création d’une nouvelle base de données…',
  databaseIsMissing: 'La base de données est introuvable',
  databaseIsDamaged: 'La base de données est endommagée',
  databaseIsNewer: 'La base de données vient d’un Atelier plus récent',
  tablesAreNotKnown:
    'Cette version ne connaît pas ses tables et n’a rien modifié. Une sauvegarde d’avant la mise à jour peut prendre sa place ; la base actuelle est alors conservée dans le dossier de données.',
  installNewerAgain: 'Ou quittez, et réinstallez la version plus récente : elle ouvre la base telle quelle.',
  atelierWasUsed:
    'Atelier a déjà été utilisé avec ce dossier de données, mais sa base de données est introuvable ou vide. Elle contient les conversations et les paramètres. Rien n’a été modifié jusqu’ici.',
  nothingInDatabase:
    'Rien dans la base de données ne peut être lu, et aucune sauvegarde ne peut la remplacer. Ses fichiers sont conservés, quel que soit votre choix.',
  thatCouldNotBeDone: 'Cela n’a pas pu être fait.',
  tryAgain: 'Réessayer',
  quitAtelier: 'Quitter Atelier',
  putFileBack: 'Ou remettez le fichier atelier.db à sa place, et redémarrez.',
  orPutFileBack: 'Ou remettez le fichier atelier.db à sa place, après avoir arrêté le service, et redémarrez.',
}
