import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../errors.ts'
import { WRITTEN_UUID } from '../ids.ts'
import { isMailAddress } from '../mail/addresses.ts'
import { countLengthsLazily } from './text-lengths.ts'

/**
 * Bodies are not coerced: `null` is not 0 and `"1"` is not 1. Undeclared fields are dropped before they can be
 * stored: they may be 32 MiB long, or deeper than any serializer goes.
 */
const bodies = newAjv({ coerceTypes: false, removeAdditional: 'all' })
/** Paths and queries are text, and are coerced to the types of the schema. */
const texts = newAjv({ coerceTypes: 'array' })

function newAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...options, useDefaults: true, strict: true, strictTypes: false, verbose: true })
  countLengthsLazily(ajv)
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri'])
  ajv.addFormat('idn-email', isMailAddress)
  ajv.addFormat('uuid', WRITTEN_UUID)
  ajv.addFormat('web-address', isWebAddress)
  ajv.addKeyword({ keyword: 'lowercase', type: 'string', modifying: true, validate: lowercase })
  // Runs before the length keywords, which then measure the trimmed text.
  ajv.addKeyword({ keyword: 'trim', type: 'string', before: 'maxLength', modifying: true, validate: trim })
  return ajv
}

/**
 * Returns false for web addresses with an invalid port, host or encoding, which a pattern cannot detect. Other texts pass,
 * such as an empty text or `attachment://…`; they are checked elsewhere.
 */
function isWebAddress(text: string): boolean {
  return !/^https?:/i.test(text) || URL.canParse(text)
}

interface DataContext {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

function trim(_wanted: boolean, data: string, _schema: unknown, context?: DataContext): boolean {
  if (context !== undefined) context.parentData[context.parentDataProperty] = data.trim()
  return true
}

function lowercase(_wanted: boolean, data: string, _schema: unknown, context?: DataContext): boolean {
  if (context !== undefined) context.parentData[context.parentDataProperty] = data.toLowerCase()
  return true
}

/** Validates paths and queries for Fastify. Bodies are validated by `readBody`, after access. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return () => true
  return (data: unknown) => {
    const validate = textValidator(schema)
    const endless = validate(data) ? endlessField(data) : undefined
    if (endless !== undefined) return { error: new ApiError('invalid_request', `${endless} is too large`) }
    return (
      (validate.errors ?? []).length === 0 || {
        error: invalidInput(validate.errors, httpPart === 'params' ? 'the path' : 'the query'),
      }
    )
  }
}

/** Returns a field with an infinite number. Hundreds of digits become Infinity, for which Ajv does not check bounds. */
function endlessField(data: unknown): string | undefined {
  const fields = Object.entries(Object(data))
  return fields.find(([, value]) => typeof value === 'number' && !Number.isFinite(value))?.[0]
}

/** Compiles a validator for JSON, without coercion. */
export function compileInput<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  return bodies.compile<Static<S>>(schema)
}

/** Compiles a validator for form fields, which coerces text. */
export function compileTextInput<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  return texts.compile<Static<S>>(schema)
}

/** Returns the validator of a body for its schema. */
export const bodyValidator = compilerOf(bodies)
const textValidator = compilerOf(texts)

/** Compiles each schema on first use: all of them at the start would take half a second. */
function compilerOf(ajv: Ajv): (schema: object) => ValidateFunction {
  const compiled = new WeakMap<object, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const validator = ajv.compile(schema)
    compiled.set(schema, validator)
    return validator
  }
}

/** Returns the error for a body, frame or part that its schema refuses. */
export function invalidInput(errors: ErrorObject[] | null | undefined, whole: string): ApiError {
  return new ApiError('invalid_request', describe(errors?.[0], whole))
}

/** Returns a sentence that begins with the field's name. */
function describe(problem: ErrorObject | undefined, whole: string): string {
  if (problem === undefined) return `${whole} is invalid`
  const path = problem.instancePath.slice(1).replaceAll('/', '.')
  if (problem.keyword === 'required') {
    const missing = String(problem.params.missingProperty)
    return `${path === '' ? missing : `${path}.${missing}`} is required`
  }
  return `${path === '' ? whole : path} ${demandOf(problem)}`
}

function demandOf({ keyword, params, parentSchema, message = 'is invalid' }: ErrorObject): string {
  if (keyword === 'format' && params.format !== 'web-address')
    return `must be a valid ${String(params.format).replace('idn-', '')}`
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if ((keyword === 'pattern' || keyword === 'format') && parentSchema?.description !== undefined)
    return `must be ${parentSchema.description}`
  if (keyword === 'minLength' && params.limit === 1) return 'must not be empty'
  return message.replace('must NOT', 'must not')
}
