export const settingsUpdates = {
  updates: 'Updates',
  aboutUpdates:
    'Atelier asks once a day at most whether there is a newer version. What it asks says nothing about you or this computer.',
  noFeed: 'This package was built without a source of updates. Get newer versions from where you got this one.',
  brokenFeed:
    'The source of updates that this package names cannot be used. Get newer versions from where you got this one.',
  neverChecked: 'Version {version}. It was never checked whether there is a newer one.',
  upToDate: 'Version {version}. Nothing newer was known {moment}.',
  checkNow: 'Check now',
  checking: 'Checking…',
  cancel: 'Cancel',
  isAvailable: 'Version {version} is available',
  wasBefore: 'Version {version}, which ran before',
  released: 'Released {moment}',
  whatIsNew: 'What is new',
  downloadOf: 'Download, {bytes}',
  downloading: 'Downloading version {version}',
  downloaded: '{received} of {total}',
  ready: 'Version {version} is downloaded and verified',
  olderIsReady: 'Version {version}, which ran before, is downloaded and verified',
  willBeInstalled:
    'It is installed when you quit Atelier, after a backup of the database. The system may ask for your password.',
  restartAndInstall: 'Restart and install',
  restartAsks: 'If agents are working, you are asked first.',
  installing: 'Making a backup, then installing version {version}…',
  installsByHand:
    'This installation cannot be replaced by Atelier. Download the package, compare its SHA-512 (in base64), and install it yourself.',
  checkByHand: 'SHA-512',
  goBack: 'Go back to {version}',
  goBackHint: 'The version that ran before is fetched and verified; it is installed when you quit.',
  goBackNewerData:
    'If it cannot read the database of today, it offers the backup that was made before the update: {backup}. What was stored later is then missing.',
  updateFailed: 'The update failed.',
  unreachable: 'The source of updates could not be reached. Check the network, then check again.',
  badSignature:
    'What the source of updates says is not signed by the makers of this package. Nothing was downloaded. Check again later; if it stays so, get the new version from where you got this one.',
  badFeed: 'What the source of updates says cannot be used. Nothing was installed. Check again later.',
  cutOff: 'The connection broke before all of the package was there. What had come was removed. Download it again.',
  wrongFile:
    'The package is not the one that the makers signed. It was removed. Download it again; if it stays so, wait for another version.',
  diskFull: 'The disk is full. What had come of the package was removed. Free up space, then download it again.',
  noBackup: 'The database could not be backed up, so nothing was installed. See Settings › Storage, then try again.',
  notPermitted:
    'The system did not permit the installation: the password was not given, or this folder cannot be written. Try again.',
  notInstalled:
    'The package could not be installed. This version goes on to work. Try again, or install the package yourself.',
} as const
