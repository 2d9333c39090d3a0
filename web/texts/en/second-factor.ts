export const secondFactor = {
  /** What is missing. */
  gaps: {
    none: {
      title: 'Set up a second factor',
      note: 'Your company requires a second factor for owners and admins. Turn on authenticator codes or add a passkey to continue.',
    },
    unused: {
      title: 'Sign in with your second factor',
      note: 'Your company requires a second factor for owners and admins. You signed in with only your password. Sign in again with your passkey or a code.',
    },
    lost: {
      title: 'Ask an owner or admin',
      note: 'Your company requires a second factor for owners and admins. Your passkeys were removed when you reset your password by email, and email alone isn’t enough here. Ask another owner or admin to reset your second factor under People, or whoever runs the server; meanwhile set up another one.',
    },
  },
  done: 'You’re all set',
  doneNote: 'From now on, you’ll sign in with your second factor.',
  goOn: 'Continue',
  signInAgain: 'Sign in again',
  switchTo: (company: string) => `Switch to ${company}`,

  rule: 'Second factor',
  ruleNote:
    'Whether owners and admins must use authenticator codes or a passkey. Anyone without one sets it up the next time they sign in.',
  required: 'Required for owners and admins',
  notRequired: 'Not required',
  require: 'Require it',
  dropRule: 'Stop requiring it',
  requireTitle: 'Require a second factor?',
  requireNote: (company: string) =>
    `Owners and admins of ${company} who signed in with only a password must set up codes or a passkey and sign in with it before they can continue. That includes you, if you have neither.`,
  dropTitle: 'Stop requiring a second factor?',
  dropNote:
    'Owners and admins will be able to sign in with only a password. Anyone with a second factor keeps it.',
  ownersOnly: 'Only an owner can change this.',
  ruleSaved: 'A second factor is now required.',
  ruleDropped: 'A second factor is no longer required.',
}
