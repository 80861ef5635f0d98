export const settingsSandbox = {
  sandboxesReachInternet:
    'Los sandboxes acceden a internet, pero no a este equipo ni a su red. Atelier tampoco llama a un host de ahí porque lo nombre un repositorio, un sandbox u otro cliente. Un host que esté aquí queda abierto a ambos: los programas de todos los sandboxes acceden a él y otros pueden nombrarlo. localhost es este equipo.',
  hostsThatSandboxesMayReach: 'Hosts accesibles para los sandboxes',
  thisMachineAndItsNetwork:
    'Este equipo y su red están cerrados para los sandboxes, y ahí solo el usuario puede nombrar un host.',
  removeHost: 'Quitar {host}',
  remove: 'Quitar',
  host: 'Host',
  nameOrAddress: 'Un nombre o una dirección, con un puerto o para todos los puertos: localhost:8080, 192.168.1.20.',
  enterHostFirst: 'Primero hay que indicar un host.',
  allow: 'Permitir',
  sandboxSpecs: 'Especificaciones de sandbox',
  whatSandboxCanBeStarted: 'Desde qué se puede iniciar un sandbox. Una conversación puede elegir otra.',
  neverPaused: 'Nunca',
  anyNumber: 'Sin límite',
  pausedAfterMinutes: '{minutes, plural, one {Tras # minuto sin uso} other {Tras # minutos sin uso}}',
  sandboxesElsewhere: 'Sandboxes en otros lugares',
  engines: 'Motores',
  whereSandboxesRun: 'Dónde se ejecutan las sandboxes. Una especificación de sandbox elige uno de ellos.',
}
