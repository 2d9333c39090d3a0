export const setUp = {
  title: 'Welcome to Sunstead',
  note: 'Set up your company and your account. You’ll be the owner.',
  code: 'Setup code',
  codeHint: 'Printed when the server started. Run “npx sunstead setup-code” on the server to see it again.',
  company: 'Company',
  companyHint: 'The installer. You can add dealers later.',
  timezone: 'Time zone',
  timezoneHint: 'Where your crews work.',
  you: 'Your name',
  email: 'Your email',
  password: 'Password',
  submit: 'Get started',
}
