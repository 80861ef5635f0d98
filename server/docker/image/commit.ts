import type Docker from 'dockerode'

/** The library's published types know no labels here, nor that query and body can be given apart. */
interface Committable {
  commit(options: { _query: Record<string, string>; _body: { Labels: Record<string, string> } }): Promise<unknown>
}

/** Labels are added to those of the container, which the image gets too. */
export async function commitContainer(
  docker: Docker,
  id: string,
  { reference, labels }: { reference: string; labels: Record<string, string> },
): Promise<void> {
  const [repo = '', tag = 'latest'] = reference.split(':')
  const container = docker.getContainer(id) as unknown as Committable
  await container.commit({ _query: { container: id, repo, tag, pause: 'false' }, _body: { Labels: labels } })
}
