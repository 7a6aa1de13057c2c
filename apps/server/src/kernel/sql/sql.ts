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

/** A template literal with its fragments inserted. */
interface Template {
  /** Text before, between and after the values. */
  readonly texts: readonly string[]
  readonly fragments: readonly Fragment['texts'][]
  /** Set on first use as a whole statement. */
  statement?: { readonly name: string; readonly text: string }
}

/**
 * A template literal is one object per position in the source, so its text and name are computed once, unless its
 * fragments change.
 */
const templates = new WeakMap<TemplateStringsArray, Template>()

/** SQL as visible text. Every `${value}` becomes a parameter, never part of the text, except for a `fragment`. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Query {
  const fragments = values.filter((value) => value instanceof Fragment)
  const template = templateOf(strings, values, fragments)
  template.statement ??= nameStatement(template.texts)
  const { name, text } = template.statement
  return { name, text, values: fragments.length === 0 ? values : parametersOf(values) }
}

export class Fragment {
  /** Text before, between and after the values: one list for all fragments made at one position in the source. */
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(text: string | readonly string[], values: readonly unknown[] = []) {
    this.texts = typeof text === 'string' ? [text] : text
    this.values = values
  }
}

/** A part of statements, such as the columns they all select, or a condition with its values. */
export function fragment(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  const fragments = values.filter((value) => value instanceof Fragment)
  return new Fragment(templateOf(strings, values, fragments).texts, parametersOf(values))
}

function templateOf(
  strings: TemplateStringsArray,
  values: readonly unknown[],
  fragments: readonly Fragment[],
): Template {
  const known = templates.get(strings)
  if (known?.fragments.every((texts, index) => texts === fragments[index]?.texts)) return known
  const template = { texts: join(strings, values), fragments: fragments.map(({ texts }) => texts) }
  templates.set(strings, template)
  return template
}

function join([first = '', ...rest]: readonly string[], values: readonly unknown[]): string[] {
  const texts = [first]
  for (const [index, next] of rest.entries()) {
    const value = values[index]
    const [start = '', ...inner] = value instanceof Fragment ? value.texts : ['', '']
    texts.push(`${texts.pop()}${start}`, ...inner)
    texts.push(`${texts.pop()}${next}`)
  }
  return texts
}

function parametersOf(values: readonly unknown[]): unknown[] {
  const parameters: unknown[] = []
  for (const value of values) {
    if (value instanceof Fragment) parameters.push(...value.values)
    else parameters.push(value)
  }
  return parameters
}

function nameStatement([first = '', ...rest]: readonly string[]): { name: string; text: string } {
  const text = first + rest.map((next, index) => `$${index + 1}${next}`).join('')
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text }
}
