export const ui = {
  copy: '复制',
  copied: '已复制',
  tryAgain: '重试',
  openSettingsModel: '打开“设置 › 模型”',
  seeWhatToDo: '查看如何处理',
  characterThatCannotBeSeen: '一个看不见的字符，会改变其后文本的顺序。',
  secretStandsHere: '此处有一个机密，其值已隐藏。',
  secret: '机密',
  choose: '选择…',
  cancel: '取消',
  close: '关闭',
  notices: '通知',
}
