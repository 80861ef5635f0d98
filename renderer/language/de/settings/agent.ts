export const settingsAgent = {
  confirmation: 'Bestätigung',
  limits: 'Limits',
  atLimitAgentPauses:
    'An einem Limit pausiert der Agent und meldet das. Jede Unterhaltung kann eigene haben, auch während sie läuft.',
  none: 'Keins',
  memory: 'Gedächtnis',
  notUsedHere: 'Hier nicht verwendet',
  storedForOtherClients: 'Nur für andere Clients gespeichert; Ateliers Agent verwendet dies nicht.',
  noneEveryActionWaits: 'Keine: Jede Aktion wartet',
  finishingAndThinkingNeverWait: 'Nur Abschließen und Nachdenken nicht.',
  ateliersRules: 'Ateliers Regeln',
  worksWithoutNetwork: 'Funktioniert ohne Netzwerk. Riskante und nicht eingestufte Aktionen warten.',
  ateliersRulesAndModel: 'Ateliers Regeln und das Modell',
  higherOfBothRatingsCounts: 'Die höhere der beiden Einstufungen zählt.',
  nameByAteliersRules: '{name}, nach Ateliers Regeln',
}
