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

/**
 * SQL as visible text: every `${value}` becomes a parameter, never a part of the text, but for a `fragment`, which is
 * the same each time that the place is passed.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Query {
  const statement = statements.get(strings) ?? prepare(strings, values)
  return { ...statement, values: values.filter((value) => !(value instanceof Fragment)) }
}

class Fragment {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A part of several statements, like the columns that they all select. It has no values. */
export function fragment(strings: TemplateStringsArray): Fragment {
  return new Fragment(strings.join(''))
}

function prepare(strings: TemplateStringsArray, values: readonly unknown[]): Statement {
  let count = 0
  const [first = '', ...rest] = strings
  const parts = rest.map((part, index) => {
    const value = values[index]
    if (value instanceof Fragment) return value.text + part
    count += 1
    return `$${count}${part}`
  })
  const text = first + parts.join('')
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const statement = { name, text }
  statements.set(strings, statement)
  return statement
}
