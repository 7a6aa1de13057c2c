import type { ValidateFunction } from 'ajv'
import type { Static, TObject } from 'typebox'
import type { Form } from './multipart.ts'
import { compileInput, invalidInput } from './validation.ts'

/**
 * Reads the texts of a form by a schema of JSON. Where that allows null, an empty text stands for it: a form has no other
 * way to say so.
 * @returns a function that throws an ApiError 400 for texts that the schema refuses
 */
export function formReader<S extends TObject>(schema: S): (form: Pick<Form, 'fields'>) => Static<S> {
  let validate: ValidateFunction<Static<S>> | undefined
  const isNullable = (name: string) => {
    const field: unknown = schema.properties[name]
    return typeof field === 'object' && field !== null && 'nullable' in field
  }
  return ({ fields }) => {
    const entries = Object.entries(fields)
    const texts: unknown = Object.fromEntries(
      entries.map(([name, text]) => [name, text === '' && isNullable(name) ? null : text]),
    )
    // When it is needed: to compile all schemas at the start would take half a second.
    validate ??= compileInput(schema)
    if (!validate(texts)) throw invalidInput(validate.errors, 'the request body')
    return texts
  }
}
