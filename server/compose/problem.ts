/** Why a compose file, or a service of it, cannot be used: a sentence for a person. */
export class ComposeProblem extends Error {}
