export const ui = {
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Tentar de novo',
  openSettingsModel: 'Abrir Configurações › Modelo',
  seeWhatToDo: 'Ver o que fazer',
  characterThatCannotBeSeen: 'Um caractere invisível que inverte a ordem do texto depois dele.',
  secretStandsHere: 'Há um segredo aqui. O valor está oculto.',
  secret: 'segredo',
  choose: 'Escolher…',
  cancel: 'Cancelar',
  close: 'Fechar',
  notices: 'Avisos',
}
