export const invitation = {
  title: (company: string) => `${company} has invited you`,
  note: (from: string, company: string, role: string) =>
    `${from} has invited you to join ${company} as ${role}. Nothing is shared until you accept.`,
  until: (time: string) => `You can accept until ${time}.`,
  make: (email: string) => `Choose a password. You’ll sign in as ${email}.`,
  join: 'Join',
  signInFirst: (email: string) => `${email} already has an account. Sign in to accept.`,
  signedInAs: (email: string) => `You’re signed in as ${email}.`,
  other: (here: string, email: string) =>
    `You’re signed in as ${here}, but the invitation is for ${email}. Sign out first.`,
  accept: 'Accept',
  acceptOf: (company: string) => `Accept: ${company}`,
  decline: 'Decline',
  declineOf: (company: string) => `Decline: ${company}`,
  declined: (company: string) => `${company} will be told that you declined.`,
  declinedTitle: 'Invitation declined',
  accepted: (company: string) => `You’ve joined ${company}. Switch to it from your menu.`,
  dead: 'This invitation is no longer valid',
  deadNote: 'It was accepted, withdrawn or replaced, or it’s more than seven days old. Ask for a new one.',
  pending: 'Invitations',
  as: (role: string, from: string) => `as ${role}, from ${from}`,
}
