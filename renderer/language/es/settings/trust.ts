export const settingsTrust = {
  setUpScripts:
    'Los scripts de preparación, hooks de Git, subagentes y servidores de herramientas de un repositorio no reciben ningún secreto hasta que se confía en ellos. Una conversación pregunta cuando encuentra alguno. Se confía en la versión mostrada y se vuelve a preguntar cuando cambia.',
  loadingTrustedRepositories: 'Cargando los repositorios de confianza',
  trustedRepositories: 'Repositorios de confianza',
  youTrustNoRepositoryYet:
    'Aún no se confía en ningún repositorio. Una conversación pregunta cuando uno quiere secretos.',
  hide: 'Ocultar',
  showWhatYouTrust: 'Mostrar en qué se confía',
  stopTrustingRepository: 'Dejar de confiar en {repository}',
  stopTrusting: 'Dejar de confiar',
  stopTrustingThisRepository: '¿Dejar de confiar en este repositorio?',
  repositoryIsNoLongerTrusted: 'Ya no se confía en {repository}.',
  trustedSince: 'De confianza <time></time> · {parts, plural, one {# parte} other {# partes}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> no recibe más secretos. Sus servidores de herramientas se detienen y su hook de Git se quita de los sandboxes. En caso de duda, conviene reemplazar los secretos que ya tenía.',
}
