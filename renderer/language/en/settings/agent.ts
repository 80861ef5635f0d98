export const settingsAgent = {
  confirmation: 'Confirmation',
  limits: 'Limits',
  atLimitAgentPauses:
    'At a limit the agent pauses and says so. Each conversation can have its own, also while it runs.',
  none: 'None',
  memory: 'Memory',
  notUsedHere: 'Not used here',
  storedForOtherClients: 'Stored for other clients; Atelier’s agent does not use these.',
  noneEveryActionWaits: 'None: every action waits',
  finishingAndThinkingNeverWait: 'Only finishing and thinking do not.',
  ateliersRules: 'Atelier’s rules',
  worksWithoutNetwork: 'Works without a network. Risky and unrated actions wait.',
  ateliersRulesAndModel: 'Atelier’s rules and the model',
  higherOfBothRatingsCounts: 'The higher of both ratings counts.',
  nameByAteliersRules: '{name}, by Atelier’s rules',
} as const
