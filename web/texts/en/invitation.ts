export const invitation = {
  title: (company: string) => `${company} invites you`,
  note: (from: string, company: string, role: string) =>
    `${from} asks you to work with ${company}, as ${role}. Nothing is shared until you accept.`,
  until: (time: string) => `You can accept until ${time}.`,
  make: (email: string) => `Choose a password; you sign in as ${email}.`,
  join: 'Join',
  signInFirst: (email: string) => `There is an account for ${email} already. Sign in with it to accept.`,
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  other: (here: string, email: string) =>
    `You are signed in as ${here}, but the invitation is for ${email}. Sign out first.`,
  accept: 'Accept',
  acceptOf: (company: string) => `Accept: ${company}`,
  decline: 'Decline',
  declineOf: (company: string) => `Decline: ${company}`,
  declined: (company: string) => `${company} is told that you declined.`,
  declinedTitle: 'You have declined',
  accepted: (company: string) => `You work with ${company} too. Switch to it in your menu.`,
  dead: 'This invitation does not work any more',
  deadNote:
    'It was accepted, withdrawn or replaced by a newer one, or it is older than seven days. Ask who invited you to do so again.',
  pending: 'Invitations',
  as: (role: string, from: string) => `as ${role}, from ${from}`,
}
