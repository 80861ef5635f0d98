export const steps = {
  checkDockerContext:
    'Vérifiez l’adresse dans DOCKER_HOST ou dans le contexte Docker actuel. Voici comment lister les contextes :',
  startAddedEngine:
    'Démarrez ce moteur. Si son adresse a changé, retirez-le ici et ajoutez-le de nouveau. Docker liste les siens avec :',
  checkCluster: 'Vérifiez que cet ordinateur atteint le cluster et a le droit de l’utiliser :',
  installDockerDebian: 'Installez Docker. Sous Debian et Ubuntu :',
  installDockerFedora: 'Sous Fedora :',
  installDockerElsewhere: 'Sous d’autres distributions, suivez le manuel :',
  joinDockerGroup: 'Autorisez votre utilisateur à utiliser Docker, puis fermez et rouvrez la session :',
  useRootlessDocker: 'Ou lancez un moteur sans droits root, pour votre utilisateur seulement :',
  startDocker: 'Démarrez Docker :',
  startPodman: 'Ou, si Podman est installé, démarrez son service :',
  startDockerDesktop: 'Démarrez Docker Desktop, ou installez-le :',
  useOrbstack: 'Ou utilisez OrbStack :',
  useColima: 'Ou utilisez Colima :',
  usePodmanDesktop: 'Ou utilisez Podman Desktop :',
  updateDockerDebian: 'Mettez Docker à jour. Sous Debian et Ubuntu :',
  updateDockerFedora: 'Sous Fedora :',
  updateDockerElsewhere: 'Sous d’autres distributions, suivez le manuel :',
  updateDockerDesktop: 'Mettez à jour Docker Desktop, ou le moteur que vous utilisez :',
  delegateControlGroups:
    'Si un moteur sans droits root est géré par systemd, permettez-lui de limiter vos processus, puis fermez et rouvrez la session :',
  filterSystemCalls: 'Activez le filtre dans la configuration du moteur :',
  chooseStorageDriver:
    'Choisissez le pilote de stockage overlay2 dans la configuration de Docker, puis redémarrez-le :',
  shareFolder: 'Partagez le dossier avec la machine virtuelle du moteur :',
  restartEngine: 'Redémarrez le moteur, sur l’ordinateur où il tourne :',
  setClock: 'Laissez cet ordinateur régler son horloge par le réseau :',
  installKeychainDebian: 'Installez un trousseau, puis fermez et rouvrez la session. Sous Debian et Ubuntu :',
  installKeychainFedora: 'Sous Fedora :',
  unlockKeychain: 'Déverrouillez le trousseau :',
  restrictDataFolder: 'Retirez l’accès aux autres utilisateurs :',
  findProgramOfPort:
    'Voyez quel programme utilise le port, et arrêtez-le. Atelier reprend son port au prochain démarrage :',
  setProxy: 'Définissez l’adresse du proxy là où Atelier est lancé :',
}
