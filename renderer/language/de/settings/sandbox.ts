export const settingsSandbox = {
  sandboxesReachInternet:
    'Sandboxes erreichen das Internet, aber nicht diesen Rechner und sein Netzwerk. Auch Atelier ruft dort keinen Host auf, nur weil ein Repository, eine Sandbox oder ein anderer Client ihn nennt. Ein Host, der hier steht, ist für beide offen: Programme in jeder Sandbox erreichen ihn, und andere dürfen ihn nennen. localhost ist dieser Rechner.',
  hostsThatSandboxesMayReach: 'Hosts, die Sandboxes erreichen dürfen',
  thisMachineAndItsNetwork:
    'Dieser Rechner und sein Netzwerk sind für Sandboxes geschlossen, und nur Sie dürfen dort einen Host nennen.',
  removeHost: '{host} entfernen',
  remove: 'Entfernen',
  host: 'Host',
  nameOrAddress: 'Ein Name oder eine Adresse, mit einem Port oder für jeden Port: localhost:8080, 192.168.1.20.',
  enterHostFirst: 'Geben Sie zuerst einen Host ein.',
  allow: 'Erlauben',
  sandboxSpecs: 'Sandbox-Specs',
  whatSandboxCanBeStarted: 'Womit eine Sandbox gestartet werden kann. Eine Unterhaltung kann eine andere wählen.',
  neverPaused: 'Nie',
  anyNumber: 'Beliebig viele',
  pausedAfterMinutes: '{minutes, plural, one {Nach # Minute ohne Nutzung} other {Nach # Minuten ohne Nutzung}}',
  sandboxesElsewhere: 'Sandboxes anderswo',
  engines: 'Engines',
  whereSandboxesRun: 'Wo Sandboxes laufen. Eine Sandbox-Spec wählt eine davon.',
}
