export const settingsSandbox = {
  sandboxesReachInternet:
    '沙箱可以访问互联网，但不能访问本机及其网络。Atelier 也不会因为仓库、沙箱或其他客户端指定了其中的主机就去访问它。列在此处的主机对两者开放：每个沙箱中的程序都能访问它，其他各方也可以指定它。localhost 即本机。',
  hostsThatSandboxesMayReach: '沙箱可以访问的主机',
  thisMachineAndItsNetwork: '本机及其网络对沙箱关闭，除您之外，任何一方都不能指定其中的主机。',
  removeHost: '移除 {host}',
  remove: '移除',
  host: '主机',
  nameOrAddress: '名称或地址，可带端口，不带则表示所有端口：localhost:8080、192.168.1.20。',
  enterHostFirst: '请先输入主机。',
  allow: '允许',
  sandboxSpecs: '沙箱规格',
  whatSandboxCanBeStarted: '沙箱据此启动。对话可以选择其他规格。',
  sandboxesElsewhere: '其他地方的沙箱',
}
