import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../errors.ts'

/** Bodies are taken as they are: `null` is not 0 and `"1"` is not 1. */
const bodies = newAjv(false)
/** Paths and queries are text, and have to be read as what the schema says. */
const texts = newAjv('array')

function newAjv(coerceTypes: false | 'array'): Ajv {
  const ajv = new Ajv({ coerceTypes, useDefaults: true, allErrors: false, strict: true, strictTypes: false })
  addFormats.default(ajv, ['uuid', 'date', 'date-time', 'email', 'uri'])
  // Before the length keywords: what is measured is the trimmed text.
  ajv.addKeyword({ keyword: 'trim', type: 'string', before: 'maxLength', modifying: true, validate: trim })
  return ajv
}

interface DataContext {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

function trim(_wanted: boolean, data: string, _schema: unknown, context?: DataContext): boolean {
  if (context !== undefined) context.parentData[context.parentDataProperty] = data.trim()
  return true
}

/** For Fastify: compiles the schemas of paths and queries. Bodies are validated by `readBody`, after access. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'body' ? () => true : texts.compile(schema)

/** For what comes as JSON: nothing is coerced. */
export function compileInput<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  return bodies.compile<Static<S>>(schema)
}

const compiled = new WeakMap<object, ValidateFunction>()

/** Compiled once per schema object. */
export function bodyValidator(schema: object): ValidateFunction {
  const validator = compiled.get(schema) ?? bodies.compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** A body, frame or part that its schema refuses. */
export function invalidInput(errors: ErrorObject[] | null | undefined, whole: string): ApiError {
  return new ApiError('invalid_request', describe(errors?.[0], whole))
}

/** For Fastify's errors about paths and queries. */
export function invalidPart(errors: FastifySchemaValidationError[], part: string): ApiError {
  return new ApiError('invalid_request', describe(errors[0], `the ${part}`))
}

type Problem = Pick<FastifySchemaValidationError, 'keyword' | 'instancePath' | 'params' | 'message'>

/** A sentence that begins with the field's name. */
function describe(problem: Problem | undefined, whole: string): string {
  if (problem === undefined) return `${whole} is invalid`
  const path = problem.instancePath.slice(1).replaceAll('/', '.')
  const { params } = problem
  if (problem.keyword === 'required') {
    const missing = String(params.missingProperty)
    return `${path === '' ? missing : `${path}.${missing}`} is required`
  }
  const field = path === '' ? whole : path
  if (problem.keyword === 'format') return `${field} must be a valid ${String(params.format)}`
  return `${field} ${(problem.message ?? 'is invalid').replace('must NOT', 'must not')}`
}
