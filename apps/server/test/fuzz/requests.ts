import type { Operation, Parameter, Shape } from './document.ts'
import { broken, type Source, validValue } from './values.ts'

export interface FuzzRequest {
  method: string
  /** Path with the query string. */
  path: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

/** Malformed or unexpected request bodies. */
const noBodies: readonly string[] = [
  '',
  'null',
  '[]',
  '"text"',
  '0',
  '{"a":',
  '{"a":1}x',
  '\u0000',
  '[[[[[[]]]]]]',
  '{"__proto__":{"a":1}}',
]
/** Share of requests without any broken value. */
const VALID = 0.3
/** Share of broken bodies that are replaced as a whole. */
const WHOLE_BODY = 0.08

/** Generates a request that is valid as far as the document says, except for at most one field. */
export function fuzzRequest(source: Source, operation: Operation): FuzzRequest {
  const { random } = source
  const body = operation.bodies.length === 0 ? undefined : random.pick(operation.bodies)
  const parameters = chosenParameters(source, operation)
  const places: readonly (() => FuzzRequest)[] = [
    ...parameters.map((parameter) => () => {
      const values = { ...valuesOf(source, parameters), [keyOf(parameter)]: random.pick(broken)() }
      return requestOf(operation, values, bodyOf(source, body, false))
    }),
    // A body has many fields, so it is broken as often as all parameters together.
    ...Array.from({ length: body === undefined ? 0 : Math.max(1, parameters.length) }, () => () => {
      return requestOf(operation, valuesOf(source, parameters), bodyOf(source, body, true))
    }),
  ]
  const isValid = places.length === 0 || random.isWithin(VALID)
  if (!isValid) return random.pick(places)()
  return requestOf(operation, valuesOf(source, parameters), bodyOf(source, body, false))
}

function chosenParameters({ random }: Source, { parameters }: Operation): Parameter[] {
  return parameters.filter(
    ({ required, in: place, name }) =>
      // Always sends `timeout`. Without it, a request for a bot's next interaction would wait.
      required || place === 'path' || name === 'timeout' || random.isWithin(0.5),
  )
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

function valuesOf(source: Source, parameters: readonly Parameter[]): Record<string, unknown> {
  return Object.fromEntries(
    parameters.map((parameter) => [keyOf(parameter), validValue(source, parameter.schema, parameter.name)]),
  )
}

function requestOf({ method, path }: Operation, values: Record<string, unknown>, body: Body): FuzzRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => segmentOf(values[`path ${name}`]))
  const query = Object.entries(values).flatMap(([key, value]) => {
    const [place, name = ''] = key.split(' ')
    if (place !== 'query') return []
    const list = Array.isArray(value) ? value : [value]
    return list.map((each) => `${name}=${encodeURIComponent(textOf(each))}`)
  })
  return { method, path: query.length > 0 ? `${filled}?${query.join('&')}` : filled, ...body }
}

/** Leaves `%` as it is, to test invalid encoding. */
function segmentOf(value: unknown): string {
  const text = textOf(value)
  return text === '%' ? text : encodeURIComponent(text)
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.toWellFormed()
}

type Body = Pick<FuzzRequest, 'headers' | 'body'>

function bodyOf(source: Source, described: [string, Shape] | undefined, isBroken: boolean): Body {
  if (described === undefined) return { headers: {}, body: undefined }
  const [type, shape] = described
  const { random } = source
  if (isBroken && random.isWithin(WHOLE_BODY))
    return { headers: { 'content-type': type }, body: random.pick(noBodies) }
  const value = validValue(source, shape, 'body')
  if (isBroken) breakField(source, value, shape)
  if (type === 'multipart/form-data') return { headers: {}, body: formOf(source, value, shape) }
  const json = JSON.stringify(value) ?? ''
  const isEncoded = random.isWithin(0.1) && typeof value === 'object' && value !== null
  if (!isEncoded) return { headers: { 'content-type': type }, body: json }
  const fields = Object.entries(value).map(([name, field]): [string, string] => [name, textOf(field)])
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams(fields)}`,
  }
}

/** Replaces one field, at any depth, with an unexpected value. */
function breakField(source: Source, value: unknown, shape: Shape): void {
  const { document, random } = source
  let [target, at] = [value, document.resolve(shape)]
  while (typeof target === 'object' && target !== null) {
    const names = Array.isArray(target) ? Object.keys(target) : Object.keys(at.properties ?? target)
    if (names.length === 0) return
    const name = random.pick(names)
    const inner: unknown = Reflect.get(target, name)
    const goesDeeper = typeof inner === 'object' && inner !== null && random.isWithin(0.6)
    if (!goesDeeper) return void Reflect.set(target, name, random.pick(broken)())
    ;[target, at] = [
      inner,
      document.resolve((Array.isArray(target) ? at.items : at.properties?.[name]) ?? {}),
    ]
  }
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function formOf({ document, random }: Source, value: unknown, shape: Shape): FormData {
  const form = new FormData()
  const { properties = {} } = document.resolve(shape)
  for (const [name, field] of Object.entries(Object(value))) {
    const isFile = JSON.stringify(properties[name] ?? {}).includes('"binary"')
    if (isFile) form.append(name, fileOf(random.next()), 'file.png')
    else form.append(name, textOf(field))
  }
  return form
}

function fileOf(chance: number): Blob {
  const bytes = Buffer.from(PNG, 'base64')
  if (chance < 0.2) return new Blob([bytes.subarray(0, 40)], { type: 'image/png' })
  return new Blob([chance < 0.4 ? 'no picture' : bytes], { type: 'image/png' })
}
