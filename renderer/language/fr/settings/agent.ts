export const settingsAgent = {
  confirmation: 'Confirmation',
  limits: 'Limites',
  atLimitAgentPauses:
    'À une limite, l’agent se met en pause et le dit. Chaque conversation peut avoir la sienne, même pendant qu’elle tourne.',
  none: 'Aucun',
  memory: 'Mémoire',
  notUsedHere: 'Non utilisé ici',
  storedForOtherClients: 'Enregistré pour d’autres clients ; l’agent d’Atelier ne s’en sert pas.',
  noneEveryActionWaits: 'Aucune : toutes les actions attendent',
  finishingAndThinkingNeverWait: 'Seules la fin et la réflexion n’attendent pas.',
  ateliersRules: 'Les règles d’Atelier',
  worksWithoutNetwork: 'Fonctionne sans réseau. Les actions risquées et non évaluées attendent.',
  ateliersRulesAndModel: 'Les règles d’Atelier et le modèle',
  higherOfBothRatingsCounts: 'La plus élevée des deux évaluations compte.',
  nameByAteliersRules: '{name}, par les règles d’Atelier',
}
