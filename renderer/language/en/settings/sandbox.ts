export const settingsSandbox = {
  sandboxesReachInternet:
    'Sandboxes reach the internet, but not this machine and its network. Nor does Atelier call a host there because a repository, a sandbox or another client names it. A host that stands here is open to both: programs in every sandbox reach it, and others may name it. localhost is this machine.',
  hostsThatSandboxesMayReach: 'Hosts that sandboxes may reach',
  thisMachineAndItsNetwork:
    'This machine and its network are closed to sandboxes, and nobody but you may name a host there.',
  removeHost: 'Remove {host}',
  remove: 'Remove',
  host: 'Host',
  nameOrAddress: 'A name or an address, with a port or for every port: localhost:8080, 192.168.1.20.',
  enterHostFirst: 'Enter a host first.',
  allow: 'Allow',
  sandboxSpecs: 'Sandbox specs',
  whatSandboxCanBeStarted: 'What a sandbox can be started from. A conversation can choose another one.',
  neverPaused: 'Never',
  anyNumber: 'Any number',
  pausedAfterMinutes: '{minutes, plural, one {After # minute without use} other {After # minutes without use}}',
  sandboxesElsewhere: 'Sandboxes elsewhere',
  engines: 'Engines',
  whereSandboxesRun: 'Where sandboxes run. A sandbox spec chooses one of them.',
} as const
