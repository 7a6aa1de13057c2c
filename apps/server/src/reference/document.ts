import type { SwaggerTransformObject } from '@fastify/swagger'
import { eventsShape } from './gateway-guide.ts'

type Node = Record<string, unknown>

/**
 * Makes the generated document what a reader and a generator of clients want: titled shapes stand once, under
 * `components`, and our own keywords are gone.
 */
export const tidyDocument: SwaggerTransformObject = (given) => {
  const document = 'openapiObject' in given ? given.openapiObject : given.swaggerObject
  const shapes = new Map<string, Node>()
  if (isNode(document.paths)) tidyFields(document.paths, shapes)
  const events = tidied(eventsShape(), shapes)
  const components: Node = { schemas: { ...Object.fromEntries(shapes), Events: events } }
  if ('components' in document)
    Object.assign(document, { components: { ...document.components, ...components } })
  return document
}

function tidyFields(parent: object, shapes: Map<string, Node>): void {
  for (const [key, value] of Object.entries(parent)) {
    if (typeof value === 'object' && value !== null) Reflect.set(parent, key, tidied(value, shapes))
  }
}

function tidied(value: object, shapes: Map<string, Node>): object {
  tidyFields(value, shapes)
  if (!isNode(value)) return value
  if (value.trim === true) delete value.trim
  if (value.lowercase === true) delete value.lowercase
  if (isNode(value.patternProperties)) return asMap(value)
  if ('const' in value && typeof value.const !== 'object') return asEnum(value)
  return typeof value.title === 'string' && value.type === 'object'
    ? named(value.title, value, shapes)
    : value
}

/** OpenAPI 3.0 does not know `patternProperties`, which say here what every property is. */
function asMap({ patternProperties, ...rest }: Node): Node {
  const [additionalProperties] = isNode(patternProperties) ? Object.values(patternProperties) : []
  return { ...rest, additionalProperties }
}

/** OpenAPI 3.0 does not know `const`. */
function asEnum({ const: constant, ...rest }: Node): Node {
  return { ...rest, enum: [constant] }
}

/** A reference to the shape, unless another shape has its name already. */
function named(title: string, { nullable, ...shape }: Node, shapes: Map<string, Node>): Node {
  const known = shapes.get(title) ?? shape
  if (JSON.stringify(known) !== JSON.stringify(shape))
    return nullable === true ? { ...shape, nullable } : shape
  shapes.set(title, known)
  const reference = { $ref: `#/components/schemas/${title}` }
  return nullable === true ? { nullable, allOf: [reference] } : reference
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
