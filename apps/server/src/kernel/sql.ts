import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A statement with its values, prepared once per connection under its name. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** What a query function needs: the database, or a transaction on it. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(query: Query): Promise<R[]>
}

interface Statement {
  name: string
  text: string
}

/** Template literals are one object per place in the source: the text and its name are made once. */
const statements = new WeakMap<TemplateStringsArray, Statement>()

/** SQL as visible text: every `${value}` becomes a parameter, never a part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Query {
  const statement = statements.get(strings) ?? prepare(strings)
  return { ...statement, values }
}

function prepare(strings: TemplateStringsArray): Statement {
  const text = strings.reduce((before, part, index) => `${before}$${index}${part}`)
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const statement = { name, text }
  statements.set(strings, statement)
  return statement
}
