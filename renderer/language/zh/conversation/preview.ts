export const conversationPreview = {
  ports: '沙箱的端口',
  nothingListens: '沙箱中没有程序在监听',
  nothingListensHint: '当其中的程序（例如开发服务器）开始监听端口时，会立即显示在这里。',
  sandboxDoesNotRun: '沙箱未在运行',
  sandboxDoesNotRunHint: '沙箱运行时，其端口会显示在这里。',
  port: '端口 {port}',
  open: '打开',
  openPort: '在浏览器中打开端口 {port}',
  copyAddress: '复制端口 {port} 的地址',
  addressHint: '在您创建新的 API 密钥之前，任何知道地址的人都可以在这台电脑上使用它。',
  lookingForPorts: '正在查找端口',
}
