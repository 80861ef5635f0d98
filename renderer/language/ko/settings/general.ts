export const settingsGeneral = {
  account: '계정',
  storedForOtherClients: 'API의 다른 클라이언트를 위해 저장만 합니다.',
  systemLanguage: '시스템 언어',
  codeSetByAnotherClient: '{code}(다른 클라이언트에서 설정)',
  play: '재생',
  desktopNotifications:
    '이 창이 앞에 있지 않을 때, 에이전트가 작업을 마치거나 답변을 기다리거나 중지하면 알립니다. 바로 저장되며 이 컴퓨터에만 적용됩니다.',
  notificationsNeedInstalledApp: '데스크톱 알림을 쓰려면 앱을 설치해야 합니다.',
  modelThatYouChoose: '선택한 모델',
  yourMessages: '메시지, 그리고 에이전트가 읽고 실행하는 내용.',
  gitHosts: 'Git 호스트',
  repositoriesThatYouName: '지정한 저장소와 이를 위해 저장한 토큰.',
  imageRegistries: '이미지 레지스트리',
  nameOfImage: '이 컴퓨터에 아직 없는 이미지의 이름.',
  atelierWorksOnThisMachine:
    'Atelier는 이 컴퓨터에서만 작동합니다. 계정도 텔레메트리도 없습니다. 대화는 데이터 폴더에, 키는 키체인에 보관됩니다.',
  dataLeavesThisMachine: '이 컴퓨터에서 데이터가 나가는 곳',
  whatAgentRunsInSandbox:
    '샌드박스에 네트워크가 있으면 에이전트가 그 안에서 실행하는 것도 네트워크에 접속할 수 있습니다.',
  analytics: '분석',
  themeSystem: '시스템 설정 따르기',
  themeLight: '밝게',
  themeDark: '어둡게',
  textSmall: '작게',
  textUsual: '보통',
  textLarge: '크게',
  textLarger: '더 크게',
}
