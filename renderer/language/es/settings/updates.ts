export const settingsUpdates = {
  updates: 'Actualizaciones',
  aboutUpdates:
    'Atelier pregunta como mucho una vez al día si hay una versión más reciente. La consulta no dice nada de usted ni de este equipo.',
  noFeed: 'Este paquete se creó sin una fuente de actualizaciones. Obtenga las versiones nuevas donde obtuvo esta.',
  brokenFeed:
    'La fuente de actualizaciones que indica este paquete no se puede usar. Obtenga las versiones nuevas donde obtuvo esta.',
  neverChecked: 'Versión {version}. Nunca se ha buscado una más reciente.',
  upToDate: 'Versión {version}. No se conocía nada más reciente {moment}.',
  checkNow: 'Buscar ahora',
  checking: 'Buscando…',
  cancel: 'Cancelar',
  isAvailable: 'La versión {version} está disponible',
  wasBefore: 'Versión {version}, la anterior',
  released: 'Publicada {moment}',
  whatIsNew: 'Novedades',
  downloadOf: 'Descargar, {bytes}',
  downloading: 'Descargando la versión {version}',
  downloaded: '{received} de {total}',
  ready: 'La versión {version} está descargada y comprobada',
  olderIsReady: 'La versión {version}, la anterior, está descargada y comprobada',
  willBeInstalled:
    'Se instala al salir de Atelier, después de una copia de seguridad de la base de datos. El sistema puede pedir su contraseña.',
  restartAndInstall: 'Reiniciar e instalar',
  restartAsks: 'Si hay agentes trabajando, se le pregunta antes.',
  installing: 'Se hace una copia de seguridad y después se instala la versión {version}…',
  installsByHand:
    'Atelier no puede reemplazar esta instalación. Descargue el paquete, compare su SHA-512 (en base64) e instálelo usted.',
  checkByHand: 'SHA-512',
  goBack: 'Volver a {version}',
  goBackHint: 'La versión anterior se obtiene y se comprueba; se instala al salir.',
  goBackNewerData:
    'Si no puede leer la base de datos de hoy, ofrece la copia de seguridad hecha antes de la actualización: {backup}. Faltará lo guardado después.',
  updateFailed: 'La actualización ha fallado.',
  unreachable: 'No se pudo acceder a la fuente de actualizaciones. Revise la red y vuelva a buscar.',
  badSignature:
    'Lo que dice la fuente de actualizaciones no está firmado por los autores de este paquete. No se descargó nada. Vuelva a buscar más tarde; si sigue así, obtenga la versión nueva donde obtuvo esta.',
  badFeed: 'Lo que dice la fuente de actualizaciones no se puede usar. No se instaló nada. Vuelva a buscar más tarde.',
  cutOff:
    'La conexión se cortó antes de que llegara todo el paquete. Lo que había llegado se eliminó. Descárguelo de nuevo.',
  wrongFile:
    'El paquete no es el que firmaron los autores. Se eliminó. Descárguelo de nuevo; si sigue así, espere a otra versión.',
  diskFull: 'El disco está lleno. Lo que había llegado del paquete se eliminó. Libere espacio y descárguelo de nuevo.',
  noBackup:
    'No se pudo hacer la copia de seguridad de la base de datos, así que no se instaló nada. Consulte Ajustes › Almacenamiento y vuelva a intentarlo.',
  notPermitted:
    'El sistema no permitió la instalación: no se dio la contraseña, o no se puede escribir en esta carpeta. Vuelva a intentarlo.',
  notInstalled:
    'El paquete no se pudo instalar. Esta versión sigue funcionando. Vuelva a intentarlo, o instale el paquete usted.',
}
