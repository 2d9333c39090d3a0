import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { addressesOf } from '../config.ts'
import { commandLine } from '../domain/journal/audit/command-line.ts'
import { type Member, type Role, roles } from '../domain/kernel/tenant/member.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { openSecretBox } from '../domain/operations/secrets/open-secret-box.ts'
import { addMember } from '../domain/tenants/members/add-member.ts'
import { listMembers } from '../domain/tenants/members/queries.ts'
import { updateMember } from '../domain/tenants/members/update-member.ts'
import { inviteByOperator } from '../domain/tenants/people/invite-by-operator.ts'
import { resetAccess } from '../domain/tenants/people/reset-access.ts'
import { currentTime } from '../platform/clock.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabase } from './with-database.ts'

const shown = ({ id, name, email, phone, role, active }: Member) => ({ id, name, email, phone, role, active })
const pageSize = 500

interface NewMemberOptions extends Output {
  company: string
  email: string
  name: string
  phone?: string
  role: Role
}

interface InvitationOptions extends Output {
  company: string
  name?: string
  role?: Role
}

interface PasswordOptions extends Output {
  company?: string
  stdin?: boolean
  dropCodes?: boolean
  dropPasskeys?: boolean
}

export function memberCommands(program: Command): void {
  const member = program.command('member').description("a company's people")
  member
    .command('add')
    .description('add a member')
    .requiredOption('--company <company>', 'id or number')
    .requiredOption('--email <email>')
    .requiredOption('--name <name>')
    .addOption(new Option('--role <role>').choices(roles).makeOptionMandatory())
    .option('--phone <phone>')
    .option('--json', 'print JSON')
    .action((options: NewMemberOptions) =>
      withDatabase(async (db) => {
        const company = await requireCompany(db, options.company)
        printRecord(shown(await addMember(db, currentTime(), options, commandLine(company))), options)
      }),
    )
  member
    .command('list')
    .description("list a company's members")
    .requiredOption('--company <company>', 'id or number')
    .option('--json', 'print JSON')
    .action((options: Output & { company: string }) =>
      withDatabase(async (db) => {
        const company = await requireCompany(db, options.company)
        const members: Member[] = []
        for (let page: Member[] | null = null; page === null || page.length === pageSize; ) {
          page = await listMembers(db, {
            installerId: company.installerId,
            companyId: company.id,
            afterEmail: members.at(-1)?.email ?? '',
            limit: pageSize,
          })
          members.push(...page)
        }
        printRows(members.map(shown), options)
      }),
    )
  member
    .command('deactivate')
    .description('the member may no longer be assigned or sign in; their records stay')
    .argument('<member>', 'id or email')
    .requiredOption('--company <company>', 'id or number')
    .option('--json', 'print JSON')
    .action((key: string, options: Output & { company: string }) =>
      withDatabase(async (db) =>
        printRecord(
          shown(await updateMember(db, currentTime(), options.company, key, { active: false })),
          options,
        ),
      ),
    )
  member
    .command('invite')
    .description('write to a member how to sign in, and print the address that does it')
    .argument('<email>')
    .requiredOption('--company <company>', 'id or number')
    .option('--name <name>', 'of who is no member yet')
    .addOption(new Option('--role <role>', 'of who is no member yet').choices(roles))
    .option('--json', 'print JSON')
    .action((email: string, options: InvitationOptions) =>
      withDatabase(async (db, config) => {
        const { baseUrl } = addressesOf(config, config.port)
        const box = await openSecretBox(db, config)
        const { member, link } = await inviteByOperator(
          db,
          currentTime(),
          { baseUrl, box },
          { email, ...options },
        )
        printRecord({ ...shown(member), link }, options)
      }),
    )
  member
    .command('password')
    .description('give a person a new password and sign them out everywhere; prints it where it was made up')
    .argument('<email>')
    .option('--company <company>', 'id or number of the one that the person joins by it')
    .option('--stdin', 'read the password from standard input')
    .option('--drop-codes', 'also stop asking for the codes of an authenticator app')
    .option('--drop-passkeys', 'also remove their passkeys')
    .option('--json', 'print JSON')
    .action((email: string, options: PasswordOptions) =>
      withDatabase(async (db, config) => {
        const given = options.stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
        const { company, dropCodes, dropPasskeys } = options
        const { baseUrl } = addressesOf(config, config.port)
        const access = { email, company, password: given, dropCodes, dropPasskeys }
        const { name, password } = await resetAccess(db, currentTime(), baseUrl, access)
        printRecord({ email, name, ...(options.stdin ? {} : { password }) }, options)
      }),
    )
}
