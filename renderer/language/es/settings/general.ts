export const settingsGeneral = {
  account: 'Cuenta',
  storedForOtherClients: 'Solo se guarda para otros clientes de la API.',
  systemLanguage: 'Idioma del sistema',
  codeSetByAnotherClient: '{code} (definido por otro cliente)',
  play: 'Reproducir',
  desktopNotifications:
    'Cuando el agente termina, espera respuesta o se detiene y esta ventana no está al frente. Se guarda al instante, para este equipo.',
  notificationsNeedInstalledApp: 'Las notificaciones en el escritorio necesitan la aplicación instalada.',
  modelThatYouChoose: 'El modelo elegido',
  yourMessages: 'Los mensajes y lo que el agente lee y ejecuta.',
  gitHosts: 'Hosts de Git',
  repositoriesThatYouName: 'Los repositorios indicados, con los tokens guardados para ellos.',
  imageRegistries: 'Registros de imágenes',
  nameOfImage: 'El nombre de una imagen que aún no está en este equipo.',
  atelierWorksOnThisMachine:
    'Atelier funciona solo en este equipo: sin cuenta, sin telemetría. Las conversaciones se quedan en su carpeta de datos, y las claves, en el llavero.',
  dataLeavesThisMachine: 'Salen datos de este equipo hacia',
  whatAgentRunsInSandbox:
    'Lo que un agente ejecuta en un sandbox también puede acceder a la red, si el sandbox la tiene.',
  analytics: 'Analíticas',
  themeSystem: 'Como el sistema',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  textSmall: 'Pequeño',
  textUsual: 'Normal',
  textLarge: 'Grande',
  textLarger: 'Más grande',
}
