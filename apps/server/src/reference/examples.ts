import { isNode, type Node } from './shapes.ts'

const ID = '0199c0de-0000-7000-8000-000000000001'
const MAX_DEPTH = 8

/** Example texts by field name. */
const texts: Readonly<Record<string, string>> = {
  username: 'mira',
  name: 'hikers',
  content: 'Hello',
  title: 'Hello',
  description: 'Hello',
  email: 'mira@example.org',
  password: 'correct horse battery',
  new_password: 'battery horse correct',
  birthdate: '1990-01-31',
  endpoint: 'https://s3.example.org',
  url: 'https://example.org/',
  locale: 'en',
  filename: 'photo.png',
  content_type: 'image/png',
  emoji: '👍',
}

const formats: Readonly<Record<string, string>> = {
  uuid: ID,
  'date-time': '2026-11-24T08:12:00.000Z',
  date: '2026-11-24',
  email: 'mira@example.org',
  uri: 'https://example.org/',
}

/** Creates example values for the document's schemas. An object has its required fields, or at the top level its first field. */
export class Examples {
  readonly #schemas: ReadonlyMap<string, Node>

  constructor(schemas: ReadonlyMap<string, Node>) {
    this.#schemas = schemas
  }

  of(given: unknown, name = '', depth = 0): unknown {
    const schema = this.#resolve(given)
    if (Array.isArray(schema.enum)) return schema.enum[0]
    const [type] = [schema.type].flat()
    if (type === 'object') return this.#object(schema, depth)
    if (type === 'array') return this.#array(schema, name, depth)
    if (type === 'string') return textFor(schema, name)
    if (type === 'integer' || type === 'number') return Math.max(0, Number(schema.minimum ?? 0))
    return type === 'boolean' ? true : null
  }

  #resolve(schema: unknown): Node {
    if (!isNode(schema)) return {}
    if (typeof schema.$ref === 'string') return this.#schemas.get(schema.$ref.split('/').at(-1) ?? '') ?? {}
    const [first] = [schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []].flat()
    return first === undefined ? schema : this.#resolve(first)
  }

  #object(schema: Node, depth: number): Node {
    const properties = isNode(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required) ? schema.required.map(String) : []
    const [first] = Object.keys(properties)
    const names = required.length > 0 || depth > 0 || first === undefined ? required : [first]
    return Object.fromEntries(names.map((name) => [name, this.of(properties[name], name, depth + 1)]))
  }

  #array(schema: Node, name: string, depth: number): unknown[] {
    const length = Math.max(Number(schema.minItems ?? 0), depth < 2 ? 1 : 0)
    if (depth > MAX_DEPTH) return []
    return Array.from({ length }, () => this.of(schema.items, name, depth + 1))
  }
}

function textFor({ format, minLength, maxLength }: Node, name: string): string {
  const text = formats[String(format)] ?? texts[name] ?? 'text'
  return text.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? text.length + 99))
}
