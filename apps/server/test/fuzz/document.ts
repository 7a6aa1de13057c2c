/** The parts of an OpenAPI schema that are used to generate values. */
export interface Shape {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  allOf?: Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Shape
}

export interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  /** Schemas of the request body, by media type. */
  bodies: [type: string, shape: Shape][]
  /** Documented errors as status and code, like `404 unknown_room`. */
  errors: string[]
}

interface OpenApi {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Shape>; responses: Record<string, ErrorResponse> }
}

interface ErrorResponse {
  headers: { 'X-Error-Code': { schema: { enum: string[] } } }
}

interface Described {
  responses: Record<string, { $ref?: string } & Partial<ErrorResponse>>
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Shape }> }
}

/** Operations and named schemas of an OpenAPI document. */
export class ApiDocument {
  readonly operations: readonly Operation[]
  readonly #shapes: Record<string, Shape>

  constructor(document: OpenApi) {
    this.#shapes = document.components.schemas
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        parameters: described.parameters ?? [],
        bodies: bodiesOf(described),
        errors: errorsOf(described, document.components.responses),
      })),
    )
  }

  /** Follows references, and takes the first of several alternatives. */
  resolve(shape: Shape): Shape {
    const { $ref, allOf, anyOf, oneOf } = shape
    if ($ref !== undefined) return this.resolve(this.#shapes[$ref.split('/').at(-1) ?? ''] ?? {})
    const [first] = allOf ?? anyOf ?? oneOf ?? []
    return first === undefined ? shape : this.resolve(first)
  }
}

function bodiesOf({ requestBody }: Described): [string, Shape][] {
  return Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])
}

function errorsOf({ responses }: Described, named: OpenApi['components']['responses']): string[] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    const { headers } = named[answer.$ref?.split('/').at(-1) ?? ''] ?? answer
    const codes = headers?.['X-Error-Code']?.schema.enum ?? []
    return codes.map((code) => `${status} ${code}`)
  })
}
