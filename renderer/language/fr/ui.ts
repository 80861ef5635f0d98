export const ui = {
  copy: 'Copier',
  copied: 'Copié',
  tryAgain: 'Réessayer',
  openSettingsModel: 'Ouvrir Paramètres › Modèle',
  seeWhatToDo: 'Voir que faire',
  characterThatCannotBeSeen: 'Un caractère invisible qui inverse l’ordre du texte qui le suit.',
  secretStandsHere: 'Il y a un secret ici. Sa valeur est masquée.',
  secret: 'secret',
  choose: 'Choisir…',
  cancel: 'Annuler',
  close: 'Fermer',
  notices: 'Avis',
}
