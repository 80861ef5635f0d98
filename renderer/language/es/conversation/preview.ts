export const conversationPreview = {
  ports: 'Puertos del sandbox',
  nothingListens: 'Nada escucha en el sandbox',
  nothingListensHint:
    'En cuanto un programa escuche allí en un puerto, como un servidor de desarrollo, aparecerá aquí.',
  sandboxDoesNotRun: 'El sandbox no está en marcha',
  sandboxDoesNotRunHint: 'Sus puertos aparecen aquí mientras está en marcha.',
  port: 'Puerto {port}',
  open: 'Abrir',
  openPort: 'Abrir el puerto {port} en el navegador',
  copyAddress: 'Copiar la dirección del puerto {port}',
  addressHint: 'Las direcciones funcionan en este equipo, para quien las tenga, hasta que cree una nueva clave de API.',
  lookingForPorts: 'Buscando puertos',
}
