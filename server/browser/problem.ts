/** Why something was not done in the browser, in words for the model. Never leaves the tools. */
export class BrowserProblem extends Error {}

/** The browser itself ended, or its connection did: the next call starts it anew. */
export class BrowserEnded extends BrowserProblem {}

/** The browser's answer to one command. Only for whoever sent it: it says nothing to a model. */
export class CommandRefused extends Error {}
