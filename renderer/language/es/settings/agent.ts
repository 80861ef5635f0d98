export const settingsAgent = {
  confirmation: 'Confirmación',
  limits: 'Límites',
  atLimitAgentPauses:
    'Al llegar a un límite, el agente se pausa y lo dice. Cada conversación puede tener los suyos, también durante la ejecución.',
  none: 'Ninguno',
  memory: 'Memoria',
  notUsedHere: 'No se usan aquí',
  storedForOtherClients: 'Guardados para otros clientes; el agente de Atelier no los usa.',
  noneEveryActionWaits: 'Ninguna: todas las acciones esperan',
  finishingAndThinkingNeverWait: 'Solo terminar y pensar no esperan.',
  ateliersRules: 'Reglas de Atelier',
  worksWithoutNetwork: 'Funciona sin red. Esperan las acciones arriesgadas y las que no se evaluaron.',
  ateliersRulesAndModel: 'Reglas de Atelier y el modelo',
  higherOfBothRatingsCounts: 'Cuenta la más alta de las dos evaluaciones.',
  nameByAteliersRules: '{name}, con las reglas de Atelier',
}
