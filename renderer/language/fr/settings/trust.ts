export const settingsTrust = {
  setUpScripts:
    'Les scripts de préparation, hooks git, sous-agents et serveurs d’outils d’un dépôt ne reçoivent aucun de vos secrets tant que vous ne leur faites pas confiance. Une conversation pose la question quand elle en trouve. Votre confiance vaut pour la version qui vous a été montrée, et la question est reposée quand elle change.',
  loadingTrustedRepositories: 'Chargement des dépôts de confiance',
  trustedRepositories: 'Dépôts de confiance',
  youTrustNoRepositoryYet:
    'Vous ne faites encore confiance à aucun dépôt. Une conversation pose la question quand l’un d’eux veut des secrets.',
  hide: 'Masquer',
  showWhatYouTrust: 'Voir le contenu de confiance',
  stopTrustingRepository: 'Ne plus faire confiance à {repository}',
  stopTrusting: 'Retirer la confiance',
  stopTrustingThisRepository: 'Ne plus faire confiance à ce dépôt ?',
  repositoryIsNoLongerTrusted: '{repository} n’a plus votre confiance.',
  trustedSince: 'Confiance accordée <time></time> · {parts, plural, one {# élément} other {# éléments}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> ne reçoit plus de secrets. Ses serveurs d’outils s’arrêtent, et son hook git est retiré des sandbox. Remplacez les secrets qu’il a déjà reçus si vous avez des doutes à son sujet.',
}
