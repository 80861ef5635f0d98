export const settingsTransfer = {
  exportAndImport: 'Mudar para outro computador',
  aboutTransfer: 'Tudo num só arquivo, que o Atelier de outro computador adiciona ao que já tem.',
  exportAsks: 'Exportar…',
  importAsks: 'Importar…',
  importFromOpenHands: 'Importar do OpenHands…',
  importInstructions: 'Importar instruções …',
  instructionsTitle: 'Instruções para outros agentes',
  aboutInstructions:
    'O que você escreveu para outros programas neste computador, como CLAUDE.md e AGENTS.md. O que você importar será lido pelo agente de cada conversa nova e, portanto, pelo modelo dele.',
  lookingForInstructions: 'Procurando instruções',
  noInstructions: 'Não há nenhuma neste computador. Procurado: {files}.',
  takeOver: 'Importar',
  takeOverAgain: 'Importar de novo',
  removeInstructions: 'Remover',
  instructionsAreRead: 'Importado como {file}.',
  instructionsHaveChanged: 'O arquivo mudou desde que foi importado como {file}.',
  instructionsAreGone: 'O arquivo não existe mais. Os agentes continuam lendo {file}.',
  chooseAnotherFolder: 'Escolher outra pasta…',
  doesNotComeOver: 'Isto não será trazido:',
  exportedFile: 'Arquivo exportado',
  exportTitle: 'Exportar tudo',
  exportHolds:
    'O arquivo contém todas as conversas, as configurações, os modelos salvos, as especificações de sandbox e os nomes dos segredos.',
  exportLeavesOut:
    'Os arquivos dos sandboxes, os pontos de verificação e a confiança em repositórios ficam aqui. Faça push ou baixe o que precisar.',
  export: 'Exportar',
  cancel: 'Cancelar',
  close: 'Fechar',
  stop: 'Parar',
  withSecretValues: 'Com os valores das chaves e dos segredos, criptografados',
  passphrase: 'Frase secreta',
  passphraseHint:
    'Pelo menos 12 caracteres. Ninguém pode abrir os valores sem ela, e o Atelier não a guarda em lugar nenhum.',
  passphraseIsWeak: 'Digite pelo menos 12 caracteres, 6 deles diferentes.',
  repeatPassphrase: 'Repetir a frase secreta',
  passphrasesDiffer: 'As duas frases secretas são diferentes.',
  preparing: 'Preparando…',
  eventsOf: '{done, number} de {total, number} eventos',
  fileIsReady: 'O arquivo está pronto',
  saveFile: 'Salvar',
  fileHolds:
    '{conversations, plural, one {# conversa} other {# conversas}} com {events, plural, one {# evento} other {# eventos}}, {bytes}.',
  isExported: 'Tudo foi exportado.',
  damagedAreLeftOut:
    '{count, plural, one {# conversa não pode ser lida e fica de fora.} other {# conversas não podem ser lidas e ficam de fora.}}',
  specsAreLeftOut:
    'As especificações de sandbox cuja imagem só existe neste computador ficam de fora. Exporte cada uma em Sandbox:',
  variablesAreLeftOut: 'As variáveis cujos valores podem ser secretos ficam de fora:',
  signInsAreLeftOut: 'Entre de novo nestes provedores de git no outro computador:',
  importTitle: 'Importar',
  bytesOf: '{done} de {total}',
  checking: 'Lendo. Ainda nada foi salvo.',
  adding: 'Adicionando o que ainda não está aqui.',
  fileToImport: 'Adicionar {name}?',
  versionAndMoment: 'Escrito pelo Atelier {version}, {moment}.',
  add: 'Adicionar',
  countOfConversations:
    '{count, plural, one {# conversa} other {# conversas}}{present, plural, =0 {} one {, # já aqui} other {, # já aqui}}',
  countOfEvents: '{count, plural, one {# evento} other {# eventos}}',
  countOfModels:
    '{count, plural, one {# modelo salvo} other {# modelos salvos}}{present, plural, =0 {} one {, # já aqui} other {, # já aqui}}',
  countOfSpecs:
    '{count, plural, one {# especificação de sandbox} other {# especificações de sandbox}}{present, plural, =0 {} one {, # já aqui} other {, # já aqui}}',
  countOfSecrets:
    '{count, plural, one {# segredo} other {# segredos}}{present, plural, =0 {} one {, # já aqui} other {, # já aqui}}',
  unreadableEvents:
    '{count, plural, one {# evento não pode ser lido. Um aviso fica no seu lugar.} other {# eventos não podem ser lidos. Um aviso fica no lugar de cada um.}}',
  presentIsKept:
    'Conversas, modelos salvos, especificações de sandbox, segredos, chaves e servidores de ferramentas que já estão aqui ficam como estão. Primeiro é feito um backup.',
  takeSettings: 'Adotar também as configurações',
  settingsWouldChange: 'Estas configurações mudariam:',
  noSettingChanges: 'Nenhuma configuração mudaria.',
  settingIsNotSet: 'não definido',
  settingIsOn: 'ativado',
  settingIsOff: 'desativado',
  takeSecretValues: 'Adotar os valores das chaves e dos segredos',
  enterPassphrase: 'Digite a frase secreta do arquivo.',
  isImported: 'A importação está completa',
  importHasEnded: 'A importação terminou',
  importWasStopped: 'Foi interrompida. As conversas que já estavam completas ficam.',
  wholeConversationsStay: 'As conversas que já estavam completas ficam.',
  addedConversations: '{count, plural, one {# conversa foi adicionada.} other {# conversas foram adicionadas.}}',
  addedOthers: 'Adicionado: {what}.',
  takenSettings: '{count, plural, one {# configuração foi adotada.} other {# configurações foram adotadas.}}',
  keptConversations:
    '{count, plural, one {# conversa já estava aqui e foi mantida.} other {# conversas já estavam aqui e foram mantidas.}}',
  settingsAreKept:
    'Estas configurações não foram adotadas. Protegem este computador ou pertencem a um só, não servem, ou enviariam uma chave sua para outro endereço:',
  secretsHaveNoValue: 'Estes segredos precisam de um valor, que você digita em Segredos:',
  couldNotBeAdded: 'Isto não pôde ser adicionado:',
  undoWithBackup:
    'Para desfazer a importação, restaure em Backups o que foi feito antes dela. Os valores adicionados ao chaveiro permanecem lá.',
  exportWithFoldersLeavesOut:
    'Os pontos de verificação, a confiança em repositórios e os arquivos dos sandboxes fora das pastas de trabalho ficam aqui.',
  withWorkingFolders: 'Com as pastas de trabalho das conversas',
  aboutWorkingFolders:
    'Todos os arquivos delas como estão no sandbox, inclusive o que o git ignora e o que pode ser secreto, como arquivos .env. No outro computador, uma conversa continua com eles em um novo sandbox.',
  foldersOf: '{done, number} de {total, number} pastas de trabalho',
  countOfFolders: '{count, plural, one {# pasta de trabalho} other {# pastas de trabalho}}',
  foldersAreLeftOut: 'Estas pastas de trabalho não puderam ser incluídas:',
}
