export const conversationPreview = {
  ports: 'Ports de la sandbox',
  nothingListens: 'Rien n’écoute dans la sandbox',
  nothingListensHint: 'Dès qu’un programme y écoute sur un port, comme un serveur de développement, il apparaît ici.',
  sandboxDoesNotRun: 'La sandbox n’est pas en marche',
  sandboxDoesNotRunHint: 'Ses ports apparaissent ici tant qu’elle est en marche.',
  port: 'Port {port}',
  open: 'Ouvrir',
  openPort: 'Ouvrir le port {port} dans le navigateur',
  copyAddress: 'Copier l’adresse du port {port}',
  addressHint:
    'Les adresses fonctionnent sur cet ordinateur, pour quiconque les connaît, jusqu’à la création d’une nouvelle clé d’API.',
  lookingForPorts: 'Recherche des ports',
}
