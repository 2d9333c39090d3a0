import type { Actor } from '../../kernel/context.ts'
import type { Company } from '../../kernel/tenant/company.ts'

/** Who acts for a company where nobody has signed in: whoever runs the server. */
export function commandLine({ id, installerId, kind }: Pick<Company, 'id' | 'installerId' | 'kind'>): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Command line',
    installerId,
    companyId: id,
    companyKind: kind,
    canWrite: true,
  }
}
