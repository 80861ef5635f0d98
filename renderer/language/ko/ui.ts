export const ui = {
  copy: '복사',
  copied: '복사됨',
  tryAgain: '다시 시도',
  openSettingsModel: '설정 › 모델 열기',
  seeWhatToDo: '해결 방법 보기',
  characterThatCannotBeSeen: '보이지 않으며 뒤에 오는 글의 순서를 뒤집는 문자입니다.',
  secretStandsHere: '여기에 시크릿이 있습니다. 값은 숨겨져 있습니다.',
  secret: '시크릿',
  choose: '선택…',
  cancel: '취소',
  close: '닫기',
  notices: '알림',
}
