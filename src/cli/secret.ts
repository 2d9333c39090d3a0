import type { Command } from 'commander'
import { resetSecrets, rotateSecretKey } from '../domain/operations/secrets/rotate-key.ts'
import { currentTime } from '../platform/clock.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface ResetOptions extends Output {
  yes?: boolean
}

/** The key that encrypts what must stay readable in the database. */
export function secretCommands(program: Command): void {
  const secret = program
    .command('secret')
    .description('the key that encrypts signing secrets, authenticator seeds and the like in the database')
  secret
    .command('rotate')
    .description(
      'encrypt everything by a new key: one that is made in DATA_DIR, or the first of SECRET_KEY, as in SECRET_KEY=new,old',
    )
    .option('--json', 'print JSON')
    .action((options: Output) =>
      withDatabase(async (db, config) => {
        if (config.secretKeys?.length === 1)
          throw new Error(
            'SECRET_KEY is one key. To replace it, set SECRET_KEY=new,old, then run this again.',
          )
        await rotateSecretKey(db, config)
        printRecord(
          {
            rotated: true,
            next: config.secretKeys
              ? 'Restart every server with this SECRET_KEY, then the older key can be removed from it.'
              : 'Back up the new secret.key. A server that runs uses it at once; the key before is kept in it until the next rotation.',
          },
          options,
        )
      }),
    )
  secret
    .command('reset')
    .description(
      'for a key that is lost: gives up what it encrypted, so that the server can start with another',
    )
    .option('--yes', 'really do it: ends all sessions, turns authenticator apps off, disables webhooks')
    .option('--json', 'print JSON')
    .action((options: ResetOptions) =>
      withDatabase(async (db, config) => {
        if (!options.yes) {
          throw new Error(
            'This ends all sessions, turns everybody\'s authenticator app off and disables webhooks until they have a new secret. If the key can be found, put it back instead. Otherwise add "--yes".',
          )
        }
        printRecord(await resetSecrets(db, config, currentTime()), options)
      }),
    )
}
