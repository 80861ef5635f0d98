export const conversationTrust = {
  sandboxIsNotRunning: 'O sandbox não está em execução. Retome-o primeiro.',
  thisRepositoryIsTrusted: 'Este repositório é confiável.',
  stillToDo: 'Ainda a fazer: {detail}',
  runNow: 'Executar',
  notNow: 'Agora não',
  repositorySetupFailed: 'Não foi possível preparar o repositório.',
  tryAgain: 'Tentar de novo',
  dismiss: 'Dispensar',
  trustOfThisRepository: 'Confiança neste repositório',
  whatRunsAutomatically: 'O que é executado automaticamente',
  trustQuestion:
    'Partes deste repositório são executadas automaticamente. Elas não recebem nenhum dos seus segredos até você confiar nesta versão delas. A conversa funciona sem isso.',
  trust: 'Confiar',
  youAreAskedAgain: 'A pergunta se repete quando isso muda.',
  setUpScript: 'Script de preparação',
  gitHook: 'Hook do git',
  toolServer: 'Servidor de ferramentas',
  trusted: 'confiável',
  thisFileIsNotText: 'Este arquivo não é texto.',
  showLess: 'Mostrar menos',
  runsAtStartWithoutSecrets: 'É executado quando uma conversa inicia. Não usa nenhum dos seus segredos.',
  runsAtStartWithSecrets:
    'É executado quando uma conversa inicia. Com a sua confiança, recebe os segredos citados aqui.',
  runsOnEveryCommit: 'É executado a cada commit que o agente faz, com os segredos que o comando do agente usa.',
  startsWithAgent:
    'Inicia com o agente. Você o configurou com os segredos citados aqui, e ele executa arquivos deste repositório.',
  agentCanGiveItTasks:
    'O agente pode lhe dar tarefas. Com a sua confiança, os comandos dele recebem os segredos que usam.',
  settingUp: 'Preparando o repositório: {detail}',
  isSetUp: 'O repositório está preparado. {detail}',
  doYouTrust: 'Você confia em {repository}?',
  keyToFocus: '<key></key> para focar',
  subAgent: 'Subagente',
  binaryFile: 'Arquivo binário ou grande, {size}. SHA-256 {sha256}',
  showFiles: 'Mostrar mais {files, plural, one {# arquivo} other {# arquivos}}',
  showLines: 'Mostrar todas as {lines, number} linhas',
  showLinesAndFiles:
    'Mostrar todas as {lines, number} linhas e mais {files, plural, one {# arquivo} other {# arquivos}}',
  skillWithCommands: 'Skill com comandos',
  agentCanReadSkill:
    'O agente pode lê-la. Com a sua confiança, os comandos no texto dela, escritos como !`command`, são executados no sandbox quando ele a lê, sem os seus segredos.',
  services: 'Serviços',
  startWithConversation:
    'Iniciam com uma conversa, ao lado do sandbox dela e na rede dele. As imagens são obtidas pela sua própria rede. Não recebem nenhum dos seus segredos.',
}
