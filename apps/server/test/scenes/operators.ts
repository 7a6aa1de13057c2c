import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { createPerson, type Person } from './people.ts'

/** Creates an account that runs the server. */
export async function createOperator(server: RunningServer, username: string): Promise<Person> {
  const person = await createPerson(server, username)
  await server.deps.database.execute(sql`
    with operator as (insert into operators (user_id) values (${person.id}))
    update users set flags = flags | 1 where id = ${person.id}`)
  return person
}
