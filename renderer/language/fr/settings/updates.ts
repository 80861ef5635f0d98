export const settingsUpdates = {
  updates: 'Mises à jour',
  aboutUpdates:
    'Atelier demande au plus une fois par jour s’il existe une version plus récente. La demande ne dit rien de vous ni de cet ordinateur.',
  noFeed:
    'Ce paquet a été construit sans source de mises à jour. Prenez les versions plus récentes là où vous avez pris celle-ci.',
  brokenFeed:
    'La source de mises à jour indiquée par ce paquet est inutilisable. Prenez les versions plus récentes là où vous avez pris celle-ci.',
  neverChecked: 'Version {version}. On n’a encore jamais cherché de version plus récente.',
  upToDate: 'Version {version}. Rien de plus récent n’était connu {moment}.',
  checkNow: 'Vérifier maintenant',
  checking: 'Vérification…',
  cancel: 'Annuler',
  isAvailable: 'La version {version} est disponible',
  wasBefore: 'Version {version}, celle d’avant',
  released: 'Publiée {moment}',
  whatIsNew: 'Nouveautés',
  downloadOf: 'Télécharger, {bytes}',
  downloading: 'Téléchargement de la version {version}',
  downloaded: '{received} sur {total}',
  ready: 'La version {version} est téléchargée et vérifiée',
  olderIsReady: 'La version {version}, celle d’avant, est téléchargée et vérifiée',
  willBeInstalled:
    'Elle est installée quand vous quittez Atelier, après une sauvegarde de la base de données. Le système peut demander votre mot de passe.',
  restartAndInstall: 'Redémarrer et installer',
  restartAsks: 'Si des agents travaillent, on vous le demande d’abord.',
  installing: 'Sauvegarde, puis installation de la version {version}…',
  installsByHand:
    'Atelier ne peut pas remplacer lui-même cette installation. Téléchargez le paquet, comparez son SHA-512 (en base64), puis installez-le vous-même.',
  checkByHand: 'SHA-512',
  goBack: 'Revenir à {version}',
  goBackHint: 'La version d’avant est récupérée et vérifiée ; elle est installée quand vous quittez.',
  goBackNewerData:
    'Si elle ne peut pas lire la base de données actuelle, elle propose la sauvegarde faite avant la mise à jour : {backup}. Ce qui a été enregistré ensuite manque alors.',
  updateFailed: 'La mise à jour a échoué.',
  unreachable: 'La source de mises à jour est injoignable. Vérifiez le réseau, puis réessayez.',
  badSignature:
    'Ce que dit la source de mises à jour n’est pas signé par les auteurs de ce paquet. Rien n’a été téléchargé. Réessayez plus tard ; si cela persiste, prenez la nouvelle version là où vous avez pris celle-ci.',
  badFeed: 'Ce que dit la source de mises à jour est inutilisable. Rien n’a été installé. Réessayez plus tard.',
  cutOff:
    'La connexion s’est interrompue avant la fin du paquet. Ce qui était arrivé a été supprimé. Téléchargez-le de nouveau.',
  wrongFile:
    'Le paquet n’est pas celui que les auteurs ont signé. Il a été supprimé. Téléchargez-le de nouveau ; si cela persiste, attendez une autre version.',
  diskFull:
    'Le disque est plein. Ce qui était arrivé du paquet a été supprimé. Libérez de l’espace, puis téléchargez-le de nouveau.',
  noBackup:
    'La base de données n’a pas pu être sauvegardée, donc rien n’a été installé. Voyez Paramètres › Stockage, puis réessayez.',
  notPermitted:
    'Le système n’a pas permis l’installation : le mot de passe n’a pas été donné, ou ce dossier est protégé en écriture. Réessayez.',
  notInstalled:
    'Le paquet n’a pas pu être installé. Cette version continue de fonctionner. Réessayez, ou installez le paquet vous-même.',
}
