export const settingsSecrets = {
  nameIsStored: '{name} est enregistré.',
  addSecret: 'Ajouter un secret',
  add: 'Ajouter',
  itGoesToKeychain: 'Il va dans le trousseau et n’est plus jamais affiché.',
  itIsKeptInMemory:
    'Il est gardé en mémoire jusqu’à ce que vous quittiez Atelier, car aucun trousseau n’est disponible, et n’est plus jamais affiché.',
  secretIsChanged: 'Le secret est modifié.',
  editSecret: 'Modifier le secret',
  save: 'Enregistrer',
  emptyKeepsStoredValue: 'Vide : la valeur enregistrée est conservée.',
  name: 'Nom',
  asCommandNames: 'Tel qu’une commande le nomme : lettres, chiffres et _.',
  value: 'Valeur',
  description: 'Description',
  modelReads: 'Le modèle la lit.',
  loadingSecrets: 'Chargement des secrets',
  secrets: 'Secrets',
  noSecretsYet: 'Pas encore de secrets.',
  deleteSecret: 'Supprimer le secret ?',
  delete: 'Supprimer',
  nameIsDeleted: '{name} est supprimé.',
  aboutSecrets:
    'Une commande de l’agent reçoit un secret comme variable d’environnement quand elle le nomme, comme dans <code>$NPM_TOKEN</code>. Le modèle voit les noms et les descriptions, jamais les valeurs ; ce qu’une commande affiche d’une valeur est masqué.',
  secretIsRemoved:
    '<mono>{name}</mono> est retiré du trousseau et ne peut pas être récupéré. Les commandes qui le nomment ne reçoivent rien.',
}
