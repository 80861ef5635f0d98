/** Nothing in the sandbox answers at the port that was asked for. */
export class PortClosed extends Error {}
