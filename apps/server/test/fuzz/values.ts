import { newId } from '#src/kernel/ids.ts'
import type { ApiDocument, Shape } from './document.ts'
import type { Random } from './random.ts'

/** Existing ids and texts, by the names of the fields that take them. */
export type Known = Readonly<Record<string, readonly string[]>>

export interface Source {
  document: ApiDocument
  random: Random
  known: Known
}

const MAX_DEPTH = 6
/** Points to this machine. Fuzzing must not contact other hosts, not even a name server. */
const ADDRESS = 'http://127.0.0.1:9/x'

const deep = () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)

/** Values that hardly any field accepts. */
export const broken: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => ' ',
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => 1e308,
  () => true,
  () => [],
  () => [null],
  () => ({}),
  () => ({ __proto__: 1, constructor: { prototype: 1 } }),
  () => 'x'.repeat(5000),
  () => '\0',
  () => '\ud800',
  () => '😀'.repeat(40),
  () => "'; drop table users; --",
  () => '../../etc/passwd',
  () => '%',
  () => '%00',
  () => 'http://127.0.0.1:99999/',
  () => 'https://%',
  () => 'http://[::1',
  () => 'https://#',
  () => '__proto__',
  () => 'toString',
  () => '9'.repeat(400),
  () => '-0',
  () => 'NaN',
  () => '2026-13-45T99:99:99Z',
  () => '+275760-09-13T00:00:00.001Z',
  () => '0000-00-00',
  () => newId(),
  () => newId().toUpperCase(),
  () => '\u202egnp.exe',
  () => '<@',
  () => `<@${newId()}>`.repeat(50),
  deep,
]

/** Generates a value that is valid as far as the schema says. */
export function validValue(source: Source, given: Shape, name: string, depth = 0): unknown {
  const { document, random, known } = source
  const shape = document.resolve(given)
  const names = known[name]
  if (shape.enum !== undefined) return random.pick(shape.enum)
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'array') return arrayOf(source, shape, name, depth)
  if (type === 'object' || shape.properties !== undefined) return objectOf(source, shape, depth)
  if (type === 'boolean') return random.isWithin(0.5)
  if (type === 'integer' || type === 'number') return numberOf(random, shape)
  return names === undefined ? textOf(random, shape, name) : random.pick(names)
}

function arrayOf(source: Source, shape: Shape, name: string, depth: number): unknown[] {
  const { random } = source
  if (depth > MAX_DEPTH || shape.items === undefined || random.isWithin(0.2)) return []
  const item = shape.items
  return Array.from({ length: random.pick([1, 1, 2]) }, () => validValue(source, item, name, depth + 1))
}

function objectOf(source: Source, shape: Shape, depth: number): Record<string, unknown> {
  const { random } = source
  const required = shape.required ?? []
  const fields = Object.entries(shape.properties ?? {}).filter(
    ([name]) => required.includes(name) || (depth < MAX_DEPTH && random.isWithin(0.6)),
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, validValue(source, field, name, depth + 1)]))
}

function numberOf(random: Random, { minimum = 0, maximum = 100 }: Shape): number {
  return random.pick([minimum, Math.min(maximum, minimum + 1), maximum])
}

function textOf(random: Random, shape: Shape, name: string): string {
  const { format, minLength = 1, maxLength = 20 } = shape
  if (format === 'uuid') return newId()
  if (format === 'date-time') return new Date().toISOString()
  if (format === 'date') return '2000-02-29'
  if (format === 'idn-email') return `fuzz${Math.floor(random.next() * 1e9)}@example.org`
  if (/url|endpoint/.test(name) || format === 'uri') return ADDRESS
  const word = `fuzz${Math.floor(random.next() * 1e9)}`
  return word.padEnd(minLength, 'x').slice(0, maxLength)
}
