export const ui = {
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  openSettingsModel: 'Open Settings › Model',
  seeWhatToDo: 'See what to do',
  characterThatCannotBeSeen: 'A character that cannot be seen and turns the order of the text after it.',
  secretStandsHere: 'A secret stands here. Its value is hidden.',
  secret: 'secret',
  choose: 'Choose…',
  cancel: 'Cancel',
  close: 'Close',
  notices: 'Notices',
} as const
