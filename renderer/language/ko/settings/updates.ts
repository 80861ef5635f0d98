export const settingsUpdates = {
  updates: '업데이트',
  aboutUpdates:
    'Atelier는 새 버전이 있는지 하루에 최대 한 번 묻습니다. 이때 사용자나 이 컴퓨터에 대한 정보는 보내지 않습니다.',
  noFeed: '이 패키지는 업데이트 출처 없이 만들어졌습니다. 새 버전은 이 버전을 받은 곳에서 받으세요.',
  brokenFeed: '이 패키지에 지정된 업데이트 출처를 사용할 수 없습니다. 새 버전은 이 버전을 받은 곳에서 받으세요.',
  neverChecked: '버전 {version}. 더 새로운 버전이 있는지 확인한 적이 없습니다.',
  upToDate: '버전 {version}. {moment} 기준으로 더 새로운 버전이 없었습니다.',
  checkNow: '지금 확인',
  checking: '확인하는 중…',
  cancel: '취소',
  isAvailable: '버전 {version}을 사용할 수 있습니다',
  wasBefore: '이전 버전 {version}',
  released: '공개: {moment}',
  whatIsNew: '새로운 내용',
  downloadOf: '다운로드, {bytes}',
  downloading: '버전 {version} 다운로드 중',
  downloaded: '{received} / {total}',
  ready: '버전 {version}을 내려받아 검증했습니다',
  olderIsReady: '이전 버전 {version}을 내려받아 검증했습니다',
  willBeInstalled: 'Atelier를 종료할 때 데이터베이스를 백업한 뒤 설치합니다. 시스템이 암호를 물을 수 있습니다.',
  restartAndInstall: '다시 시작하고 설치',
  restartAsks: '에이전트가 작업 중이면 먼저 묻습니다.',
  installing: '백업을 만든 다음 버전 {version}을 설치합니다…',
  installsByHand:
    '이 설치는 Atelier가 스스로 바꿀 수 없습니다. 패키지를 내려받아 SHA-512(base64)를 비교한 뒤 직접 설치하세요.',
  checkByHand: 'SHA-512',
  goBack: '{version}(으)로 되돌리기',
  goBackHint: '이전 버전을 가져와 검증하고, 종료할 때 설치합니다.',
  goBackNewerData:
    '현재 데이터베이스를 읽을 수 없으면 업데이트 전에 만든 백업을 제시합니다: {backup}. 그 뒤에 저장된 내용은 빠집니다.',
  updateFailed: '업데이트하지 못했습니다.',
  unreachable: '업데이트 출처에 연결하지 못했습니다. 네트워크를 확인한 뒤 다시 확인하세요.',
  badSignature:
    '업데이트 출처의 내용에 이 패키지 제작자의 서명이 없습니다. 아무것도 내려받지 않았습니다. 나중에 다시 확인하세요. 계속 그렇다면 이 버전을 받은 곳에서 새 버전을 받으세요.',
  badFeed: '업데이트 출처의 내용을 사용할 수 없습니다. 아무것도 설치하지 않았습니다. 나중에 다시 확인하세요.',
  cutOff: '패키지가 모두 도착하기 전에 연결이 끊겼습니다. 받은 부분은 삭제했습니다. 다시 내려받으세요.',
  wrongFile:
    '패키지가 제작자가 서명한 것과 달라 삭제했습니다. 다시 내려받으세요. 계속 그렇다면 다른 버전을 기다리세요.',
  diskFull: '디스크가 가득 찼습니다. 받은 부분은 삭제했습니다. 공간을 확보한 뒤 다시 내려받으세요.',
  noBackup: '데이터베이스를 백업하지 못해 아무것도 설치하지 않았습니다. 설정 › 저장소를 확인한 뒤 다시 시도하세요.',
  notPermitted:
    '시스템이 설치를 허용하지 않았습니다. 암호를 입력하지 않았거나 이 폴더에 쓸 수 없습니다. 다시 시도하세요.',
  notInstalled:
    '패키지를 설치하지 못했습니다. 이 버전은 계속 사용할 수 있습니다. 다시 시도하거나 패키지를 직접 설치하세요.',
}
