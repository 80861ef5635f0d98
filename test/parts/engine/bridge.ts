import type Docker from 'dockerode'

/** The default network of a container, which Podman calls by a name of its own; undefined where it is not on it. */
export async function bridgeOf(container: Docker.Container): Promise<Docker.NetworkInfo | undefined> {
  const { bridge, podman } = (await container.inspect()).NetworkSettings.Networks
  return bridge ?? podman
}
