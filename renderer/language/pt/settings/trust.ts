export const settingsTrust = {
  setUpScripts:
    'Scripts de preparação, hooks do git, subagentes e servidores de ferramentas de um repositório não recebem nenhum dos seus segredos até você confiar neles. Uma conversa pergunta quando encontra algum. Você confia na versão que viu, e a pergunta se repete quando ela muda.',
  loadingTrustedRepositories: 'Carregando os repositórios confiáveis',
  trustedRepositories: 'Repositórios confiáveis',
  youTrustNoRepositoryYet:
    'Você ainda não confia em nenhum repositório. Uma conversa pergunta quando algum quer segredos.',
  hide: 'Ocultar',
  showWhatYouTrust: 'Mostrar em que você confia',
  stopTrustingRepository: 'Deixar de confiar em {repository}',
  stopTrusting: 'Deixar de confiar',
  stopTrustingThisRepository: 'Deixar de confiar neste repositório?',
  repositoryIsNoLongerTrusted: '{repository} não é mais confiável.',
  trustedSince: 'Confiança dada <time></time> · {parts, plural, one {# parte} other {# partes}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> não recebe mais segredos. Seus servidores de ferramentas param, e seu hook do git é removido dos sandboxes. Troque os segredos que ele já teve se houver dúvidas sobre ele.',
}
