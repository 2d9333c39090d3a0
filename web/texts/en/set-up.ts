export const setUp = {
  title: 'Welcome to Sunstead',
  note: 'Nobody works here yet. Name your company and yourself, and you are its owner.',
  code: 'Set-up code',
  codeHint:
    'It was printed when the server started. “npx sunstead setup-code”, run where the server is, prints it again.',
  company: 'Company',
  companyHint: 'The installer. Dealers that sell for you can be added later.',
  timezone: 'Time zone',
  timezoneHint: 'Where your crews work: it decides when a day begins.',
  you: 'Your name',
  email: 'Your email',
  password: 'Password',
  submit: 'Begin',
}
