import type { Database, Db } from '../../../platform/db.ts'
import { boolean, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { maybeScalar } from '../../../platform/sql/statements.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'

type OfCompany = Pick<Actor, 'installerId' | 'companyId'>

const findRule = maybeScalar(
  { required: boolean },
  ($: Params<OfCompany>) => sql`
    select second_factor_required as required from companies
    where installer_id = ${$.installerId} and id = ${$.companyId}`,
)

/** Whether the company requires a second factor of its owners and admins. */
export async function isSecondFactorRequired(db: Db, company: OfCompany): Promise<boolean> {
  return (await findRule(db, company)) ?? false
}

/** Answers the company's name where that is another rule than before. */
const saveRule = maybeScalar(
  { name: text },
  ($: Params<OfCompany & { required: boolean }>) => sql`
    update companies set second_factor_required = ${$.required}
    where installer_id = ${$.installerId} and id = ${$.companyId} and second_factor_required <> ${$.required}
    returning name`,
)

/** An owner decides for their own company; who has no second factor comes no further until they have one. */
export async function updateSecondFactorRule({ db, now, actor }: Context, required: boolean): Promise<void> {
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
    const name = await saveRule(tx, { installerId, companyId, required })
    if (name === null) return
    await recordSetting(tx, actor, now, {
      type: 'company.changed',
      companyId,
      subjectId: companyId,
      name,
      changes: { secondFactorRequired: [!required, required] },
    })
  })
}
