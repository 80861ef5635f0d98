export const settingsSecrets = {
  nameIsStored: '{name} está guardado.',
  addSecret: 'Agregar un secreto',
  add: 'Agregar',
  itGoesToKeychain: 'Va al llavero y no se vuelve a mostrar.',
  itIsKeptInMemory:
    'Se guarda en la memoria hasta salir de Atelier, porque no hay llavero disponible, y no se vuelve a mostrar.',
  secretIsChanged: 'El secreto cambió.',
  editSecret: 'Editar secreto',
  save: 'Guardar',
  emptyKeepsStoredValue: 'Vacío conserva el valor guardado.',
  name: 'Nombre',
  asCommandNames: 'Como lo nombra un comando: letras, dígitos y _.',
  value: 'Valor',
  description: 'Descripción',
  modelReads: 'El modelo la lee.',
  loadingSecrets: 'Cargando los secretos',
  secrets: 'Secretos',
  noSecretsYet: 'Aún no hay secretos.',
  deleteSecret: '¿Eliminar el secreto?',
  delete: 'Eliminar',
  nameIsDeleted: 'Se eliminó {name}.',
  aboutSecrets:
    'Un comando del agente recibe un secreto como variable de entorno cuando lo nombra, como en <code>$NPM_TOKEN</code>. El modelo ve nombres y descripciones, nunca valores; lo que un comando muestra de un valor se oculta.',
  secretIsRemoved:
    '<mono>{name}</mono> se quita del llavero y no se puede recuperar. Los comandos que lo nombran no reciben nada.',
}
