/** Where these tests run in a cluster: it has no Docker to be asked beside the service, and no folder of this machine. */
export const isOnCluster = Boolean(process.env.KUBECONFIG_UNDER_TEST)
