import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A statement with its values, prepared once per connection under its name. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** The part of a database or transaction that query functions need. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(query: Query): Promise<R[]>
}

interface Statement {
  name: string
  text: string
  fragments: readonly Fragment[]
}

/**
 * A template literal is one object per position in the source, so text and name are computed once, unless its fragments
 * change.
 */
const statements = new WeakMap<TemplateStringsArray, Statement>()

/** SQL as visible text. Every `${value}` becomes a parameter, never part of the text, except for a `fragment`. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Query {
  const fragments = values.filter((value) => value instanceof Fragment)
  const known = statements.get(strings)
  const isSame = known?.fragments.every((part, index) => part === fragments[index])
  const { name, text } = known !== undefined && isSame ? known : prepare(strings, values, fragments)
  const parameters = fragments.length === 0 ? values : values.filter((value) => !(value instanceof Fragment))
  return { name, text, values: parameters }
}

export class Fragment {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A part shared by several statements, such as the columns they all select. It has no values. */
export function fragment(strings: TemplateStringsArray): Fragment {
  return new Fragment(strings.join(''))
}

function prepare(
  strings: TemplateStringsArray,
  values: readonly unknown[],
  fragments: readonly Fragment[],
): Statement {
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
  const statement = { name, text, fragments }
  statements.set(strings, statement)
  return statement
}
