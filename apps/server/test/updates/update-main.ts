// Updates a database in a process of its own, which a test kills.
import { migrateSafely } from '#src/operating/updates/updating.ts'
import { updateOf } from './updates.ts'

const connection: unknown = JSON.parse(process.argv[2] ?? '')
if (typeof connection !== 'object' || connection === null) throw new Error('no connection is given')
process.stdout.write('begins\n')
await migrateSafely(updateOf(connection))
process.stdout.write('ends\n')
