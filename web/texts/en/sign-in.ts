export const signIn = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  forgot: 'Forgot your password?',
  or: 'or',
  withPasskey: 'Sign in with a passkey',
  passkeyStopped:
    'The passkey was not used: it was cancelled or took too long. Try again, or use your password.',
  code: 'Code from your authenticator app',
  codeHint: 'Six digits, or one of your backup codes.',
  verify: 'Verify',
  startOver: 'Start over',
  again: 'Please sign in again',
  againNote: 'Your session has ended. Nothing you typed is lost: sign in, and it goes on.',
  notYou: 'Leave the page and sign in as somebody else',
  signOut: 'Sign out',
  companyEnded: 'You work here no longer',
  companyEndedNote:
    'The company that you were in has ended your access, or is suspended. Choose another one that you work for.',
  noAccess: 'You have no access any more',
  tooMany:
    'There were too many tries. Wait a little, or use a link that we send you: “Forgot your password?”.',
  tryAgainIn: (seconds: number) =>
    seconds < 90 ? `Try again in ${seconds} s` : `Try again in ${Math.ceil(seconds / 60)} min`,
  /** By the code of what went wrong; where none is here, the server's own words are shown. */
  problems: {
    INVALID_EMAIL_OR_PASSWORD: 'This email and password do not belong together. Check both.',
    INVALID_EMAIL: 'This is no email address.',
    INVALID_PASSWORD: 'The password is not right.',
    INVALID_CODE: 'This code is not right, or was used already. Wait for the next one, or use a backup code.',
    INVALID_BACKUP_CODE: 'This is none of your backup codes, or it was used already.',
    INVALID_TWO_FACTOR_COOKIE: 'That took too long. Start over with your password.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Start over with your password.',
    INVALID_TOKEN: 'This link was used already or is too old. Ask for a new one.',
    PASSKEY_NOT_FOUND: 'This passkey belongs to nobody here. Use your password.',
  } as Record<string, string>,
  forgotTitle: 'Forgot your password?',
  forgotNote: 'Say who you are, and we write to you how to choose a new one.',
  forgotNoteKept:
    'No mail is sent from this server. Ask whoever runs it to give you a new password, with “sunstead member password” and your email.',
  send: 'Send me a link',
  sentTitle: 'Look into your mail',
  sent: (email: string) =>
    `If ${email} may sign in here, a link is on its way. It works for an hour. Nothing there? Look among the unwanted mail, or ask the owner of your company.`,
  back: 'Back to signing in',
  newPassword: 'New password',
  newPasswordHint:
    'At least 10 characters, and nothing that strangers try first. A few words in a row are good and easy to remember.',
  show: 'Show the password',
  resetTitle: 'Choose a new password',
  resetNote: (email: string) => `For ${email}. Everywhere else you are signed out.`,
  resetSubmit: 'Save and sign in',
  linkDead: 'This link does not work any more',
  resetDead: 'It was used already, or it is older than an hour. A new one is quickly sent.',
  newLink: 'Send me a new link',
  passwordSaved: 'Your new password is saved. Sign in with it.',
}
