export const conversationPreview = {
  ports: '샌드박스의 포트',
  nothingListens: '샌드박스에서 수신 대기 중인 것이 없습니다',
  nothingListensHint: '개발 서버처럼 프로그램이 포트에서 수신 대기를 시작하면 바로 여기에 표시됩니다.',
  sandboxDoesNotRun: '샌드박스가 실행 중이 아닙니다',
  sandboxDoesNotRunHint: '실행되는 동안 포트가 여기에 표시됩니다.',
  port: '포트 {port}',
  open: '열기',
  openPort: '브라우저에서 포트 {port} 열기',
  copyAddress: '포트 {port}의 주소 복사',
  addressHint: '새 API 키를 만들 때까지, 주소를 아는 사람은 누구나 이 컴퓨터에서 사용할 수 있습니다.',
  lookingForPorts: '포트를 찾는 중',
}
