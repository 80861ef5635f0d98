export const steps = {
  checkDockerContext:
    'Prüfen Sie die Adresse in DOCKER_HOST oder im aktuellen Docker-Kontext. Das listet die Kontexte auf:',
  startAddedEngine:
    'Starten Sie diese Engine. Hat sich ihre Adresse geändert, entfernen Sie sie hier und fügen Sie sie neu hinzu. Docker listet seine Engines so auf:',
  checkCluster: 'Prüfen Sie, ob dieser Computer den Cluster erreicht und benutzen darf:',
  installDockerDebian: 'Installieren Sie Docker. Unter Debian und Ubuntu:',
  installDockerFedora: 'Unter Fedora:',
  installDockerElsewhere: 'Unter anderen Distributionen folgen Sie der Anleitung:',
  joinDockerGroup: 'Erlauben Sie Ihrem Benutzer, Docker zu verwenden, und melden Sie sich danach ab und wieder an:',
  useRootlessDocker: 'Oder betreiben Sie eine Engine ohne Root-Rechte, nur für Ihren Benutzer:',
  startDocker: 'Starten Sie Docker:',
  startPodman: 'Oder starten Sie, wenn Podman installiert ist, dessen Dienst:',
  startDockerDesktop: 'Starten Sie Docker Desktop, oder installieren Sie es:',
  useOrbstack: 'Oder verwenden Sie OrbStack:',
  useColima: 'Oder verwenden Sie Colima:',
  usePodmanDesktop: 'Oder verwenden Sie Podman Desktop:',
  updateDockerDebian: 'Aktualisieren Sie Docker. Unter Debian und Ubuntu:',
  updateDockerFedora: 'Unter Fedora:',
  updateDockerElsewhere: 'Unter anderen Distributionen folgen Sie der Anleitung:',
  updateDockerDesktop: 'Aktualisieren Sie Docker Desktop oder die Engine, die Sie verwenden:',
  delegateControlGroups:
    'Wird eine Engine ohne Root-Rechte von systemd verwaltet, erlauben Sie ihr, Ihre Prozesse zu begrenzen, und melden Sie sich danach ab und wieder an:',
  filterSystemCalls: 'Schalten Sie den Filter in der Konfiguration der Engine ein:',
  chooseStorageDriver:
    'Wählen Sie in der Konfiguration von Docker den Speichertreiber overlay2, und starten Sie Docker neu:',
  shareFolder: 'Geben Sie den Ordner für die virtuelle Maschine der Engine frei:',
  restartEngine: 'Starten Sie die Engine neu, auf dem Computer, auf dem sie läuft:',
  setClock: 'Lassen Sie diesen Computer seine Uhr über das Netzwerk stellen:',
  installKeychainDebian:
    'Installieren Sie einen Schlüsselbund, und melden Sie sich danach ab und wieder an. Unter Debian und Ubuntu:',
  installKeychainFedora: 'Unter Fedora:',
  unlockKeychain: 'Entsperren Sie den Schlüsselbund:',
  restrictDataFolder: 'Nehmen Sie anderen Benutzern den Zugriff:',
  findProgramOfPort:
    'Sehen Sie nach, welches Programm den Port verwendet, und beenden Sie es. Beim nächsten Start nimmt Atelier seinen Port zurück:',
  setProxy: 'Setzen Sie die Adresse des Proxys dort, wo Atelier gestartet wird:',
}
