export const settingsSandbox = {
  sandboxesReachInternet:
    '샌드박스는 인터넷에 접속할 수 있지만 이 컴퓨터와 그 네트워크에는 접속할 수 없습니다. 저장소, 샌드박스 또는 다른 클라이언트가 그곳의 호스트를 지정해도 Atelier는 호출하지 않습니다. 여기에 적힌 호스트는 양쪽 모두에 열립니다. 모든 샌드박스의 프로그램이 접속할 수 있고, 다른 쪽에서 지정할 수도 있습니다. localhost는 이 컴퓨터입니다.',
  hostsThatSandboxesMayReach: '샌드박스가 접속할 수 있는 호스트',
  thisMachineAndItsNetwork:
    '이 컴퓨터와 그 네트워크는 샌드박스에 닫혀 있으며, 그곳의 호스트는 사용자만 지정할 수 있습니다.',
  removeHost: '{host} 제거',
  remove: '제거',
  host: '호스트',
  nameOrAddress: '이름 또는 주소. 포트를 붙이거나, 붙이지 않으면 모든 포트: localhost:8080, 192.168.1.20.',
  enterHostFirst: '먼저 호스트를 입력하세요.',
  allow: '허용',
  sandboxSpecs: '샌드박스 사양',
  whatSandboxCanBeStarted: '샌드박스를 시작할 때 쓰는 사양입니다. 대화에서 다른 사양을 선택할 수 있습니다.',
  neverPaused: '안 함',
  anyNumber: '제한 없음',
  pausedAfterMinutes: '{minutes, plural, other {#분 동안 사용하지 않으면}}',
  sandboxesElsewhere: '다른 곳의 샌드박스',
  engines: '엔진',
  whereSandboxesRun: '샌드박스가 실행되는 곳입니다. 샌드박스 사양이 그중 하나를 선택합니다.',
}
