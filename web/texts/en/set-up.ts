export const setUp = {
  title: 'Welcome to Sunstead',
  note: 'Nobody works here yet. Name your company and yourself, and you are its owner.',
  company: 'Company',
  companyHint: 'The installer. Dealers that sell for you can be added later.',
  timezone: 'Time zone',
  timezoneHint: 'Where your crews work: it decides when a day begins.',
  you: 'Your name',
  email: 'Your email',
  password: 'Password',
  submit: 'Begin',
}
