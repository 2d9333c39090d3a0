export const secondFactor = {
  /** What is missing. */
  gaps: {
    none: {
      title: 'Set up a second factor',
      note: 'Your company requires more than a password of its owners and admins. Turn on codes from an authenticator app, or add a passkey; then you can go on.',
    },
    unused: {
      title: 'Sign in with your second factor',
      note: 'Your company requires more than a password of its owners and admins. You signed in with your password alone: do so again with your passkey or a code.',
    },
    lost: {
      title: 'Ask an owner or admin',
      note: 'Your company requires more than a password of its owners and admins. Your passkeys were removed when you chose a password by mail, and your mailbox alone is not enough here. Ask another owner or admin to reset your second factor under People, or whoever runs the server; meanwhile set up another one.',
    },
  },
  done: 'You are set',
  doneNote: 'From now on you sign in with your second factor.',
  goOn: 'Go on',
  signInAgain: 'Sign in again',
  switchTo: (company: string) => `Switch to ${company}`,

  rule: 'Second factor',
  ruleNote:
    'Whether owners and admins need more than a password: codes from an authenticator app, or a passkey. Who has neither sets one up when they next come.',
  required: 'Required of owners and admins',
  notRequired: 'Not required',
  require: 'Require it',
  dropRule: 'Require it no longer',
  requireTitle: 'Require a second factor?',
  requireNote: (company: string) =>
    `Owners and admins of ${company} who signed in with a password alone cannot go on until they have set up codes or a passkey, and signed in with it. So do you, if you have neither.`,
  dropTitle: 'Require it no longer?',
  dropNote: 'A password alone will let owners and admins in. Who has a second factor keeps it.',
  ownersOnly: 'An owner decides about this.',
  ruleSaved: 'A second factor is required now.',
  ruleDropped: 'A second factor is required no longer.',
}
