export const settingsTransfer = {
  exportAndImport: 'Pasar a otro ordenador',
  aboutTransfer: 'Todo en un archivo, que Atelier añade en otro ordenador a lo que ya tiene.',
  exportAsks: 'Exportar…',
  importAsks: 'Importar…',
  importFromOpenHands: 'Importar de OpenHands…',
  importInstructions: 'Importar instrucciones …',
  instructionsTitle: 'Instrucciones para otros agentes',
  aboutInstructions:
    'Lo que ha escrito para otros programas de este equipo, como CLAUDE.md y AGENTS.md. Lo que importe lo leerá el agente de cada conversación nueva y, por tanto, su modelo.',
  lookingForInstructions: 'Buscando instrucciones',
  noInstructions: 'No hay ninguna en este equipo. Se buscó: {files}.',
  takeOver: 'Importar',
  takeOverAgain: 'Importar otra vez',
  removeInstructions: 'Quitar',
  instructionsAreRead: 'Importado como {file}.',
  instructionsHaveChanged: 'El archivo ha cambiado desde que se importó como {file}.',
  instructionsAreGone: 'El archivo ya no está. Los agentes siguen leyendo {file}.',
  chooseAnotherFolder: 'Elegir otra carpeta…',
  doesNotComeOver: 'Esto no se traerá:',
  exportedFile: 'Archivo exportado',
  exportTitle: 'Exportar todo',
  exportHolds:
    'El archivo contiene todas las conversaciones, la configuración, los modelos guardados, las especificaciones de sandbox y los nombres de los secretos.',
  exportLeavesOut:
    'Los archivos de los sandboxes, los puntos de control y la confianza en repositorios se quedan aquí. Envíe con push o descargue lo que necesite.',
  export: 'Exportar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  stop: 'Detener',
  withSecretValues: 'Con los valores de las claves y los secretos, cifrados',
  passphrase: 'Frase de contraseña',
  passphraseHint:
    '12 caracteres como mínimo. Nadie puede abrir los valores sin ella, y Atelier no la guarda en ningún sitio.',
  passphraseIsWeak: 'Escriba 12 caracteres como mínimo, 6 de ellos distintos.',
  repeatPassphrase: 'Repita la frase de contraseña',
  passphrasesDiffer: 'Las dos frases de contraseña son distintas.',
  preparing: 'Preparando…',
  eventsOf: '{done, number} de {total, number} eventos',
  fileIsReady: 'El archivo está listo',
  saveFile: 'Guardar',
  fileHolds:
    '{conversations, plural, one {# conversación} other {# conversaciones}} con {events, plural, one {# evento} other {# eventos}}, {bytes}.',
  isExported: 'Todo está exportado.',
  damagedAreLeftOut:
    '{count, plural, one {# conversación no se puede leer y no se incluye.} other {# conversaciones no se pueden leer y no se incluyen.}}',
  specsAreLeftOut:
    'Las especificaciones de sandbox cuya imagen solo está en este ordenador no se incluyen. Expórtelas una a una en Sandbox:',
  variablesAreLeftOut: 'Las variables cuyos valores pueden ser secretos no se incluyen:',
  signInsAreLeftOut: 'Inicie sesión de nuevo en estos proveedores de git en el otro ordenador:',
  importTitle: 'Importar',
  bytesOf: '{done} de {total}',
  checking: 'Leyendo. Todavía no se guarda nada.',
  adding: 'Añadiendo lo que aún no está aquí.',
  fileToImport: '¿Añadir {name}?',
  versionAndMoment: 'Escrito por Atelier {version}, {moment}.',
  add: 'Añadir',
  countOfConversations:
    '{count, plural, one {# conversación} other {# conversaciones}}{present, plural, =0 {} one {, # ya aquí} other {, # ya aquí}}',
  countOfEvents: '{count, plural, one {# evento} other {# eventos}}',
  countOfModels:
    '{count, plural, one {# modelo guardado} other {# modelos guardados}}{present, plural, =0 {} one {, # ya aquí} other {, # ya aquí}}',
  countOfSpecs:
    '{count, plural, one {# especificación de sandbox} other {# especificaciones de sandbox}}{present, plural, =0 {} one {, # ya aquí} other {, # ya aquí}}',
  countOfSecrets:
    '{count, plural, one {# secreto} other {# secretos}}{present, plural, =0 {} one {, # ya aquí} other {, # ya aquí}}',
  unreadableEvents:
    '{count, plural, one {# evento no se puede leer. Un aviso ocupa su lugar.} other {# eventos no se pueden leer. Un aviso ocupa el lugar de cada uno.}}',
  presentIsKept:
    'Las conversaciones, los modelos guardados, las especificaciones de sandbox, los secretos, las claves y los servidores de herramientas que ya están aquí quedan como están. Primero se hace una copia de seguridad.',
  takeSettings: 'Tomar también la configuración',
  settingsWouldChange: 'Estos ajustes cambiarían:',
  noSettingChanges: 'No cambiaría ningún ajuste.',
  settingIsNotSet: 'sin definir',
  settingIsOn: 'activado',
  settingIsOff: 'desactivado',
  takeSecretValues: 'Tomar los valores de las claves y los secretos',
  enterPassphrase: 'Escriba la frase de contraseña del archivo.',
  isImported: 'La importación está completa',
  importHasEnded: 'La importación ha terminado',
  importWasStopped: 'Se detuvo. Las conversaciones que ya estaban completas se quedan.',
  wholeConversationsStay: 'Las conversaciones que ya estaban completas se quedan.',
  addedConversations: '{count, plural, one {Se añadió # conversación.} other {Se añadieron # conversaciones.}}',
  addedOthers: 'Se añadió: {what}.',
  takenSettings: '{count, plural, one {Se tomó # ajuste.} other {Se tomaron # ajustes.}}',
  keptConversations:
    '{count, plural, one {# conversación ya estaba aquí y se conservó.} other {# conversaciones ya estaban aquí y se conservaron.}}',
  settingsAreKept:
    'Estos ajustes no se tomaron. Protegen este ordenador o son propios de uno, no encajan, o enviarían una clave suya a otra dirección:',
  secretsHaveNoValue: 'Estos secretos necesitan un valor, que se escribe en Secretos:',
  couldNotBeAdded: 'Esto no se pudo añadir:',
  undoWithBackup:
    'Para deshacer la importación, restaure en Copias de seguridad la que se hizo justo antes. Los valores añadidos al llavero permanecen en él.',
  exportWithFoldersLeavesOut:
    'Los puntos de control, la confianza en repositorios y los archivos de los sandboxes fuera de sus carpetas de trabajo se quedan aquí.',
  withWorkingFolders: 'Con las carpetas de trabajo de las conversaciones',
  aboutWorkingFolders:
    'Todos sus archivos tal como están en su sandbox, también lo que git ignora y lo que puede ser secreto, como los archivos .env. En el otro ordenador, una conversación continúa con ellos en un sandbox nuevo.',
  foldersOf: '{done, number} de {total, number} carpetas de trabajo',
  countOfFolders: '{count, plural, one {# carpeta de trabajo} other {# carpetas de trabajo}}',
  foldersAreLeftOut: 'Estas carpetas de trabajo no se han podido incluir:',
}
