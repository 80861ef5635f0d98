export const conversationPreview = {
  ports: 'Portas do sandbox',
  nothingListens: 'Nada escuta no sandbox',
  nothingListensHint:
    'Assim que um programa escutar em uma porta, como um servidor de desenvolvimento, ele aparecerá aqui.',
  sandboxDoesNotRun: 'O sandbox não está em execução',
  sandboxDoesNotRunHint: 'As portas aparecem aqui enquanto ele está em execução.',
  port: 'Porta {port}',
  open: 'Abrir',
  openPort: 'Abrir a porta {port} no navegador',
  copyAddress: 'Copiar o endereço da porta {port}',
  addressHint: 'Os endereços funcionam neste computador, para quem os tiver, até você criar uma nova chave de API.',
  lookingForPorts: 'Procurando portas',
}
