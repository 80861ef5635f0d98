export const settingsSandbox = {
  sandboxesReachInternet:
    'Os sandboxes acessam a internet, mas não esta máquina nem a rede dela. O Atelier também não chama um host ali porque um repositório, um sandbox ou outro cliente o indica. Um host que está aqui fica aberto a ambos: programas em todos os sandboxes o acessam, e outros podem indicá-lo. localhost é esta máquina.',
  hostsThatSandboxesMayReach: 'Hosts que os sandboxes podem acessar',
  thisMachineAndItsNetwork:
    'Esta máquina e a rede dela estão fechadas para os sandboxes, e só você pode indicar um host ali.',
  removeHost: 'Remover {host}',
  remove: 'Remover',
  host: 'Host',
  nameOrAddress: 'Um nome ou um endereço, com uma porta ou para todas as portas: localhost:8080, 192.168.1.20.',
  enterHostFirst: 'Digite um host primeiro.',
  allow: 'Permitir',
  sandboxSpecs: 'Especificações de sandbox',
  whatSandboxCanBeStarted: 'A partir do que um sandbox pode ser iniciado. Uma conversa pode escolher outra.',
  neverPaused: 'Nunca',
  anyNumber: 'Sem limite',
  pausedAfterMinutes: '{minutes, plural, one {Após # minuto sem uso} other {Após # minutos sem uso}}',
  sandboxesElsewhere: 'Sandboxes em outro lugar',
  engines: 'Motores',
  whereSandboxesRun: 'Onde as sandboxes rodam. Uma especificação de sandbox escolhe um deles.',
}
