/** For how many days the address in an invitation works. */
export const invitationDays = 7

export interface InvitationWords {
  /** Who is invited. */
  name: string
  company: string
  /** Who invites. */
  from: string
  link: string
  /** Has a password already, and keeps it. */
  known: boolean
}

export function invitationMail({ name, company, from, link, known }: InvitationWords) {
  const next = known
    ? `Sign in as you always do, and switch to ${company}:`
    : `Choose a password within ${invitationDays} days, and you are in:`
  return {
    subject: `${company} invites you to Sunstead`,
    body: `Hello ${name},\n\n${from} has invited you to work with ${company} in Sunstead. ${next}\n\n${link}\n\nIf you do not know what this is about, nothing needs to be done.\n`,
  }
}
