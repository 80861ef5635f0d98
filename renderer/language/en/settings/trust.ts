export const settingsTrust = {
  setUpScripts:
    'Set-up scripts, git hooks, sub-agents and tool servers of a repository get none of your secrets until you trust them. A conversation asks when it finds some. You trust the version that you were shown, and are asked again when it changes.',
  loadingTrustedRepositories: 'Loading the trusted repositories',
  trustedRepositories: 'Trusted repositories',
  youTrustNoRepositoryYet: 'You trust no repository yet. A conversation asks when one wants secrets.',
  hide: 'Hide',
  showWhatYouTrust: 'Show what you trust',
  stopTrustingRepository: 'Stop trusting {repository}',
  stopTrusting: 'Stop trusting',
  stopTrustingThisRepository: 'Stop trusting this repository?',
  repositoryIsNoLongerTrusted: '{repository} is no longer trusted.',
  trustedSince: 'Trusted <time></time> · {parts, plural, one {# part} other {# parts}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> gets no more secrets. Its tool servers stop, and its git hook is removed from sandboxes. Replace secrets that it already had if you have doubts about it.',
} as const
