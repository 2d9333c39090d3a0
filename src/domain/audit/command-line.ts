import type { Company } from '../companies/company.ts'
import type { Actor } from '../context.ts'

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
