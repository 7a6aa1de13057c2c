import { type TNumberOptions, type TSchema, Type } from 'typebox'

/** A single setting, as opposed to a group. */
export interface Setting extends TSchema {
  variable: string
  description: string
  default?: unknown
}

/** Returns true for a single setting, false for a group. */
export function isSetting(schema: TSchema): schema is Setting {
  return 'variable' in schema
}

/** Splits a list at its commas. */
export function listOf(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Rule for a value. `otherwise` completes the error message, which begins with the name of the variable. */
interface Rule {
  accepts: (value: string) => boolean
  otherwise: string
}

/** A whole number of at least 0, or in the given range. */
export function Count(
  variable: string,
  value: number | undefined,
  description: string,
  range: Pick<TNumberOptions, 'minimum' | 'maximum'> = {},
) {
  return Type.Integer({ variable, default: value, description, minimum: 0, ...range })
}

/** A number where 0 stands for none. */
export function ZeroForNone(variable: string, value: number, description: string) {
  return Type.Decode(Count(variable, value, description), (count) => (count === 0 ? undefined : count))
}

/** Text that cannot be empty. */
export function Text(variable: string, value: string, description: string, minLength = 1) {
  return Type.String({ variable, default: value, description, minLength })
}

/** Text that may be empty, unless config.ts requires it because of another setting. */
export function NeededText(variable: string, description: string) {
  return Text(variable, '', description, 0)
}

/** Text; undefined if it is not set. */
export function OptionalText(variable: string, description: string, rule?: Rule) {
  return Type.Decode(NeededText(variable, description), (text) => {
    if (text !== '' && rule?.accepts(text) === false) throw new Error(`${variable} ${rule.otherwise}`)
    return optional(text)
  })
}

/** Values separated by commas. */
export function List(
  variable: string,
  description: string,
  options: Partial<Rule> & { default?: string } = {},
) {
  const { accepts = () => true, otherwise } = options
  return Type.Decode(Text(variable, options.default ?? '', description, 0), (text) => {
    if (!listOf(text).every(accepts)) throw new Error(`${variable} ${otherwise}`)
    return listOf(text)
  })
}

/** One of the values. */
export function Choice<const Values extends string[]>(
  variable: string,
  values: readonly [...Values],
  value: Values[number],
  description: string,
) {
  return Type.Enum(values, { variable, default: value, description })
}

/** A boolean, written as one of two words: the first means true and is the default, the second means false. */
export function Switch(variable: string, [yes, no]: readonly [string, string], description: string) {
  return Type.Decode(Choice(variable, [yes, no], yes, description), (word) => word === yes)
}

/** Returns undefined for the empty text. */
export function optional(text: string): string | undefined {
  return text === '' ? undefined : text
}
