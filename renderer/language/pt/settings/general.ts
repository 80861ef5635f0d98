export const settingsGeneral = {
  account: 'Conta',
  storedForOtherClients: 'Guardado só para outros clientes da API.',
  systemLanguage: 'Idioma do sistema',
  codeSetByAnotherClient: '{code} (definido por outro cliente)',
  play: 'Tocar',
  desktopNotifications:
    'Quando o agente termina, espera por você ou para, enquanto esta janela não está na frente. Guardado na hora, para este computador.',
  notificationsNeedInstalledApp: 'Notificações na área de trabalho precisam do aplicativo instalado.',
  modelThatYouChoose: 'O modelo que você escolhe',
  yourMessages: 'Suas mensagens e o que o agente lê e executa.',
  gitHosts: 'Hosts de Git',
  repositoriesThatYouName: 'Os repositórios que você indica, com os tokens que você guarda para eles.',
  imageRegistries: 'Registros de imagens',
  nameOfImage: 'O nome de uma imagem que ainda não está nesta máquina.',
  atelierWorksOnThisMachine:
    'O Atelier funciona só nesta máquina: sem conta, sem telemetria. As conversas ficam na pasta de dados dele, e as chaves, no chaveiro.',
  dataLeavesThisMachine: 'Dados saem desta máquina para',
  whatAgentRunsInSandbox: 'O que um agente executa em um sandbox também pode acessar a rede, quando o sandbox tem uma.',
  analytics: 'Análises de uso',
}
