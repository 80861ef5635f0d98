export const settingsTrust = {
  setUpScripts:
    'Setup-Skripte, Git-Hooks, Sub-Agenten und Tool-Server eines Repositorys bekommen keines Ihrer Secrets, bis Sie ihnen vertrauen. Eine Unterhaltung fragt, wenn sie welche findet. Sie vertrauen der Version, die Ihnen gezeigt wurde, und werden wieder gefragt, wenn sie sich ändert.',
  loadingTrustedRepositories: 'Vertrauenswürdige Repositorys werden geladen',
  trustedRepositories: 'Vertrauenswürdige Repositorys',
  youTrustNoRepositoryYet: 'Sie vertrauen noch keinem Repository. Eine Unterhaltung fragt, wenn eines Secrets möchte.',
  hide: 'Ausblenden',
  showWhatYouTrust: 'Vertraute Teile anzeigen',
  stopTrustingRepository: '{repository} nicht mehr vertrauen',
  stopTrusting: 'Nicht mehr vertrauen',
  stopTrustingThisRepository: 'Diesem Repository nicht mehr vertrauen?',
  repositoryIsNoLongerTrusted: '{repository} wird nicht mehr vertraut.',
  trustedSince: 'Vertrauen erteilt <time></time> · {parts, plural, one {# Teil} other {# Teile}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> bekommt keine Secrets mehr. Die Tool-Server daraus halten an, und der Git-Hook wird aus Sandboxes entfernt. Ersetzen Sie Secrets, die es schon hatte, wenn Sie daran zweifeln.',
}
