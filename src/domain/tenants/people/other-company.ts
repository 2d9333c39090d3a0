import { DomainError } from '../../kernel/domain-error.ts'

const messages = {
  company_ended:
    'You do not work for this company any more, or it is suspended. Reload the page to choose another one.',
  other_company:
    'You work for another company now, chosen in another window. Nothing was changed. Reload the page to go on there.',
}

/** What was meant for one company must not be done in another one that the person works for too. */
export class OtherCompany extends DomainError {
  readonly reason: keyof typeof messages

  constructor(reason: keyof typeof messages) {
    super('forbidden', messages[reason])
    this.reason = reason
  }
}
