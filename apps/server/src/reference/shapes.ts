export type Node = Record<string, unknown>

/**
 * Converts schemas to OpenAPI 3.1: `nullable` becomes a type, our own keywords are removed, and titled objects move to
 * `components`.
 */
export class Shapes {
  readonly named = new Map<string, Node>()

  /** Converts all schemas under the parent in place. */
  tidyFields(parent: object): void {
    for (const [key, value] of Object.entries(parent)) {
      if (typeof value === 'object' && value !== null) Reflect.set(parent, key, this.tidied(value))
    }
  }

  tidied(value: object): object {
    this.tidyFields(value)
    if (!isNode(value)) return value
    if (value.trim === true) delete value.trim
    if (value.lowercase === true) delete value.lowercase
    // Removes our own format. The pattern next to it is nearly equivalent.
    if (value.format === 'web-address') delete value.format
    const { nullable, ...shape } = asNullable(isNode(value.patternProperties) ? asMap(value) : value)
    const whole = 'const' in shape && typeof shape.const !== 'object' ? asEnum(shape) : shape
    const known = isTitled(whole) ? this.#refer(whole) : whole
    return nullable === true ? orNull(known) : known
  }

  /** Returns a reference to the shape, or the shape itself if a different shape already has its title. */
  #refer(shape: Node & { title: string }): Node {
    const known = this.named.get(shape.title) ?? shape
    if (JSON.stringify(known) !== JSON.stringify(shape)) return shape
    this.named.set(shape.title, known)
    return { $ref: `#/components/schemas/${shape.title}` }
  }
}

/** Restores `nullable` where the generator turned it into a type, so that titles are found. */
function asNullable(value: Node): Node {
  const types: unknown[] = [value.type ?? []].flat()
  if (!types.includes('null') || types.length === 1) return value
  const [first, ...others] = types.filter((type) => type !== 'null')
  return { ...value, type: others.length === 0 ? first : [first, ...others], nullable: true }
}

function isTitled(shape: Node): shape is Node & { title: string } {
  return typeof shape.title === 'string' && shape.type === 'object'
}

function orNull(shape: Node): Node {
  const { type, enum: values } = shape
  if (type === undefined) return { anyOf: [shape, { type: 'null' }] }
  const allowed = Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}
  return { ...shape, ...allowed, type: [type, 'null'].flat() }
}

/** Generators recognize maps by `additionalProperties`. The patterns in our schemas cover all properties of an object. */
function asMap({ patternProperties, ...rest }: Node): Node {
  const [additionalProperties] = isNode(patternProperties) ? Object.values(patternProperties) : []
  return { ...rest, additionalProperties }
}

/** Some generators do not support `const`. */
function asEnum({ const: constant, ...rest }: Node): Node {
  return { ...rest, enum: [constant] }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
