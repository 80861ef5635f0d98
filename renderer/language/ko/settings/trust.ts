export const settingsTrust = {
  setUpScripts:
    '저장소의 셋업 스크립트, git 훅, 서브에이전트, 도구 서버는 신뢰하기 전에는 시크릿을 전혀 받지 못합니다. 대화에서 이런 것을 발견하면 묻습니다. 표시된 버전을 신뢰하는 것이며, 변경되면 다시 묻습니다.',
  loadingTrustedRepositories: '신뢰하는 저장소를 불러오는 중',
  trustedRepositories: '신뢰하는 저장소',
  youTrustNoRepositoryYet: '아직 신뢰하는 저장소가 없습니다. 저장소에 시크릿이 필요하면 대화에서 묻습니다.',
  hide: '숨기기',
  showWhatYouTrust: '신뢰하는 내용 보기',
  stopTrustingRepository: '{repository} 신뢰 중단',
  stopTrusting: '신뢰 중단',
  stopTrustingThisRepository: '이 저장소의 신뢰를 중단할까요?',
  repositoryIsNoLongerTrusted: '{repository} 저장소를 더 이상 신뢰하지 않습니다.',
  trustedSince: '<time></time> 신뢰함 · {parts, plural, other {구성 요소 #개}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> 저장소는 더 이상 시크릿을 받지 못합니다. 도구 서버는 중지되고 git 훅은 샌드박스에서 제거됩니다. 의심스러우면 이미 받은 시크릿을 교체하세요.',
}
