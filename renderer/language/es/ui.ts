export const ui = {
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Reintentar',
  openSettingsModel: 'Abrir Configuración › Modelo',
  seeWhatToDo: 'Ver qué hacer',
  characterThatCannotBeSeen: 'Un carácter que no se ve y que cambia el orden del texto que le sigue.',
  secretStandsHere: 'Aquí hay un secreto. Su valor está oculto.',
  secret: 'secreto',
  choose: 'Elegir…',
  cancel: 'Cancelar',
  close: 'Cerrar',
  notices: 'Avisos',
}
