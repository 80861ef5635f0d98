export const settingsSandbox = {
  sandboxesReachInternet:
    'Les sandbox accèdent à Internet, mais pas à cette machine ni à son réseau. Atelier n’y appelle pas non plus d’hôte parce qu’un dépôt, une sandbox ou un autre client l’indique. Un hôte inscrit ici est ouvert aux deux : les programmes de toutes les sandbox le joignent, et d’autres peuvent l’indiquer. localhost est cette machine.',
  hostsThatSandboxesMayReach: 'Hôtes que les sandbox peuvent joindre',
  thisMachineAndItsNetwork:
    'Cette machine et son réseau sont fermés aux sandbox, et personne d’autre que vous ne peut y indiquer d’hôte.',
  removeHost: 'Retirer {host}',
  remove: 'Retirer',
  host: 'Hôte',
  nameOrAddress: 'Un nom ou une adresse, avec un port ou pour tous les ports : localhost:8080, 192.168.1.20.',
  enterHostFirst: 'Saisissez d’abord un hôte.',
  allow: 'Autoriser',
  sandboxSpecs: 'Specs de sandbox',
  whatSandboxCanBeStarted: 'Ce à partir de quoi une sandbox peut démarrer. Une conversation peut en choisir une autre.',
  neverPaused: 'Jamais',
  anyNumber: 'Sans limite',
  pausedAfterMinutes:
    '{minutes, plural, one {Après # minute sans utilisation} other {Après # minutes sans utilisation}}',
  sandboxesElsewhere: 'Sandbox ailleurs',
  engines: 'Moteurs',
  whereSandboxesRun: 'Où tournent les sandbox. Une spec de sandbox en choisit un.',
}
