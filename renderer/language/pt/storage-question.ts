export const storageQuestion = {
  waitUntilItIsDone: 'Aguarde até terminar.',
  startOverWithSandboxes: 'Recomeçar com os sandboxes',
  startOverWithSandboxesHint:
    'As conversas e configurações se perdem. Os sandboxes, com os arquivos dos agentes, aparecem em Sandboxes.',
  keepSandboxes: 'Manter os sandboxes',
  startOverWithoutThem: 'Recomeçar sem eles',
  asOnFirstDay: 'Como no primeiro dia. Os sandboxes ficam na engine do Docker, e o Atelier não os mostra.',
  startEmpty: 'Começar vazio',
  restoreBackup: 'Restaurar um backup',
  restoreHint: 'As conversas e configurações voltam a ser como eram então. O que foi guardado depois fica faltando.',
  thereIsNoBackup: 'Não há backup nesta pasta de dados.',
  backup: 'Backup',
  restore: 'Restaurar',
  openingDatabase: 'Abrindo o banco de dados',
  restoringBackup: 'Restaurando e abrindo o backup…',
  makingNewDatabase: 'Criando um banco de dados novo e procurando os sandboxes…',
  makingEmptyDatabase: 'Criando um banco de dados novo…',
  databaseIsMissing: 'O banco de dados está ausente',
  databaseIsDamaged: 'O banco de dados está danificado',
  databaseIsNewer: 'O banco de dados é de um Atelier mais recente',
  tablesAreNotKnown:
    'Esta versão não conhece as tabelas dele e não mudou nada. Um backup de antes da atualização pode ocupar o lugar; o banco de hoje fica então guardado na pasta de dados.',
  installNewerAgain: 'Ou saia e instale novamente a versão mais recente: ela abre o banco como está.',
  atelierWasUsed:
    'O Atelier já foi usado com esta pasta de dados, mas o banco de dados está ausente ou vazio. Conversas e configurações ficam nele. Nada foi alterado até agora.',
  nothingInDatabase:
    'Nada no banco de dados pode ser lido, e não há backup que possa substituí-lo. Os arquivos dele são mantidos, qualquer que seja a sua escolha.',
  thatCouldNotBeDone: 'Não foi possível fazer isso.',
  tryAgain: 'Tentar de novo',
  quitAtelier: 'Sair do Atelier',
  putFileBack: 'Ou coloque o arquivo atelier.db de volta onde estava e inicie de novo.',
  orPutFileBack: 'Ou coloque o arquivo atelier.db de volta onde estava, depois de parar o serviço, e inicie de novo.',
}
