import type { Database, Db, Statement } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'

const findStatement: Statement = {
  name: 'second-factor-rule',
  text: 'select second_factor_required as required from companies where installer_id = $1 and id = $2',
}

/** Whether the company requires a second factor of its owners and admins. */
export async function isSecondFactorRequired(
  db: Db,
  installerId: string,
  companyId: string,
): Promise<boolean> {
  const [row] = await db.query<{ required: boolean }>(findStatement, [installerId, companyId])
  return row?.required ?? false
}

const saveStatement: Statement = {
  name: 'save-second-factor-rule',
  text: `update companies set second_factor_required = $3
    where installer_id = $1 and id = $2 and second_factor_required <> $3 returning name`,
}

/** An owner decides for their own company; who has no second factor comes no further until they have one. */
export async function changeSecondFactorRule({ db, now, actor }: Context, required: boolean): Promise<void> {
  authorize(actor, 'company.requireSecondFactor')
  await saveSecondFactorRule(db, now, actor, required)
}

/** The same for the company of whoever acts, also by the command line. */
export async function saveSecondFactorRule(
  db: Database,
  now: Date,
  actor: Actor,
  required: boolean,
): Promise<void> {
  const { installerId, companyId } = actor
  await db.transaction(async (tx) => {
    const [changed] = await tx.query<{ name: string }>(saveStatement, [installerId, companyId, required])
    if (!changed) return
    await recordSetting(tx, actor, now, {
      type: 'company.changed',
      companyId,
      subjectId: companyId,
      name: changed.name,
      changes: { secondFactorRequired: [!required, required] },
    })
  })
}
