export const settingsSecrets = {
  nameIsStored: '{name} está guardado.',
  addSecret: 'Adicionar um segredo',
  add: 'Adicionar',
  itGoesToKeychain: 'Ele vai para o chaveiro e nunca mais é mostrado.',
  itIsKeptInMemory:
    'Ele fica na memória até o Atelier ser encerrado, porque nenhum chaveiro está disponível, e nunca mais é mostrado.',
  secretIsChanged: 'O segredo foi alterado.',
  editSecret: 'Editar segredo',
  save: 'Salvar',
  emptyKeepsStoredValue: 'Vazio mantém o valor guardado.',
  name: 'Nome',
  asCommandNames: 'Como um comando o chama: letras, dígitos e _.',
  value: 'Valor',
  description: 'Descrição',
  modelReads: 'O modelo a lê.',
  loadingSecrets: 'Carregando os segredos',
  secrets: 'Segredos',
  noSecretsYet: 'Nenhum segredo ainda.',
  deleteSecret: 'Excluir o segredo?',
  delete: 'Excluir',
  nameIsDeleted: '{name} foi excluído.',
  aboutSecrets:
    'Um comando do agente recebe um segredo como variável de ambiente quando o menciona pelo nome, como em <code>$NPM_TOKEN</code>. O modelo vê nomes e descrições, nunca valores; o que um comando imprime de um valor é mascarado.',
  secretIsRemoved:
    '<mono>{name}</mono> é removido do chaveiro e não pode ser recuperado. Comandos que o mencionam não recebem nada.',
}
