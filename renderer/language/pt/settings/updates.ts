export const settingsUpdates = {
  updates: 'Atualizações',
  aboutUpdates:
    'O Atelier pergunta no máximo uma vez por dia se há uma versão mais recente. O pedido não diz nada sobre você nem sobre este computador.',
  noFeed: 'Este pacote foi criado sem uma fonte de atualizações. Obtenha versões mais recentes onde obteve esta.',
  brokenFeed:
    'A fonte de atualizações indicada por este pacote não pode ser usada. Obtenha versões mais recentes onde obteve esta.',
  neverChecked: 'Versão {version}. Nunca se procurou uma mais recente.',
  upToDate: 'Versão {version}. Nada mais recente era conhecido {moment}.',
  checkNow: 'Verificar agora',
  checking: 'Verificando…',
  cancel: 'Cancelar',
  isAvailable: 'A versão {version} está disponível',
  wasBefore: 'Versão {version}, a anterior',
  released: 'Lançada {moment}',
  whatIsNew: 'O que há de novo',
  downloadOf: 'Baixar, {bytes}',
  downloading: 'Baixando a versão {version}',
  downloaded: '{received} de {total}',
  ready: 'A versão {version} foi baixada e verificada',
  olderIsReady: 'A versão {version}, a anterior, foi baixada e verificada',
  willBeInstalled:
    'Ela é instalada quando você sai do Atelier, depois de um backup do banco de dados. O sistema pode pedir sua senha.',
  restartAndInstall: 'Reiniciar e instalar',
  restartAsks: 'Se houver agentes trabalhando, você é perguntado antes.',
  installing: 'Fazendo um backup e depois instalando a versão {version}…',
  installsByHand:
    'O Atelier não pode substituir esta instalação. Baixe o pacote, compare o SHA-512 (em base64) e instale-o você mesmo.',
  checkByHand: 'SHA-512',
  goBack: 'Voltar para {version}',
  goBackHint: 'A versão anterior é obtida e verificada; é instalada quando você sai.',
  goBackNewerData:
    'Se ela não puder ler o banco de dados de hoje, oferece o backup feito antes da atualização: {backup}. O que foi guardado depois faltará.',
  updateFailed: 'A atualização falhou.',
  unreachable: 'Não foi possível acessar a fonte de atualizações. Verifique a rede e tente novamente.',
  badSignature:
    'O que a fonte de atualizações diz não está assinado pelos autores deste pacote. Nada foi baixado. Verifique mais tarde; se continuar assim, obtenha a nova versão onde obteve esta.',
  badFeed: 'O que a fonte de atualizações diz não pode ser usado. Nada foi instalado. Verifique mais tarde.',
  cutOff: 'A conexão caiu antes de o pacote chegar inteiro. O que tinha chegado foi removido. Baixe-o novamente.',
  wrongFile:
    'O pacote não é o que os autores assinaram. Ele foi removido. Baixe-o novamente; se continuar assim, espere outra versão.',
  diskFull: 'O disco está cheio. O que tinha chegado do pacote foi removido. Libere espaço e baixe-o novamente.',
  noBackup:
    'Não foi possível fazer o backup do banco de dados, por isso nada foi instalado. Veja Configurações › Armazenamento e tente novamente.',
  notPermitted:
    'O sistema não permitiu a instalação: a senha não foi dada, ou não se pode gravar nesta pasta. Tente novamente.',
  notInstalled:
    'O pacote não pôde ser instalado. Esta versão continua funcionando. Tente novamente, ou instale o pacote você mesmo.',
}
