export const storageQuestion = {
  waitUntilItIsDone: 'Hay que esperar a que termine.',
  startOverWithSandboxes: 'Empezar de nuevo con los sandboxes',
  startOverWithSandboxesHint:
    'Se pierden las conversaciones y la configuración. Los sandboxes, con los archivos de los agentes, aparecen en Sandboxes.',
  keepSandboxes: 'Conservar los sandboxes',
  startOverWithoutThem: 'Empezar de nuevo sin ellos',
  asOnFirstDay: 'Como el primer día. Los sandboxes se quedan en el motor de Docker y Atelier no los muestra.',
  startEmpty: 'Empezar vacío',
  restoreBackup: 'Restaurar una copia de seguridad',
  restoreHint: 'Las conversaciones y la configuración vuelven a como estaban entonces. Falta lo que se guardó después.',
  thereIsNoBackup: 'No hay ninguna copia de seguridad en esta carpeta de datos.',
  backup: 'Copia de seguridad',
  restore: 'Restaurar',
  openingDatabase: 'Abriendo la base de datos',
  restoringBackup: 'Restaurando y abriendo la copia de seguridad…',
  makingNewDatabase: 'Creando una base de datos nueva y buscando los sandboxes…',
  makingEmptyDatabase: 'Creando una base de datos nueva…',
  databaseIsMissing: 'Falta la base de datos',
  databaseIsDamaged: 'La base de datos está dañada',
  databaseIsNewer: 'La base de datos es de un Atelier más reciente',
  tablesAreNotKnown:
    'Esta versión no conoce sus tablas y no ha cambiado nada. Una copia de seguridad anterior a la actualización puede ocupar su lugar; la base de hoy se conserva entonces en la carpeta de datos.',
  installNewerAgain: 'O salga, e instale de nuevo la versión más reciente: abre la base tal como está.',
  atelierWasUsed:
    'Atelier ya se usó con esta carpeta de datos, pero su base de datos falta o está vacía. En ella están las conversaciones y la configuración. Hasta ahora no se cambió nada.',
  nothingInDatabase:
    'No se puede leer nada de la base de datos y no hay ninguna copia de seguridad que ocupe su lugar. Sus archivos se conservan, se elija lo que se elija.',
  thatCouldNotBeDone: 'Eso no se pudo hacer.',
  tryAgain: 'Reintentar',
  quitAtelier: 'Salir de Atelier',
  putFileBack: 'O devolver el archivo atelier.db a donde estaba e iniciar de nuevo.',
  orPutFileBack: 'O devolver el archivo atelier.db a donde estaba, después de detener el servicio, e iniciar de nuevo.',
}
