import type {
  CommandChoice,
  CommandOption,
  CreateCommand,
  CreateCommandOption,
} from '@foyer/protocol/commands'
import { limits } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'

export interface NewCommand {
  name: string
  description: string
  options: CommandOption[]
}

/** Checks a value by the type of its option. Only options of these types have choices, suggestions and bounds. */
export const valueChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
}

/**
 * Checks new commands, and fills in omitted fields.
 * @throws ApiError 400 for invalid commands, with a message that begins with the field
 */
export function toCommands(given: readonly CreateCommand[]): NewCommand[] {
  refuseTwice(namesOf(given), (at) => `${at}.name`)
  return given.map(({ name, description, options }, index) => {
    const at = `${index}.options`
    const list = options ?? []
    refuseTwice(namesOf(list), (place) => `${at}.${place}.name`)
    return { name, description, options: list.map((option, place) => toOption(option, `${at}.${place}`)) }
  })
}

function toOption(given: CreateCommandOption, at: string): CommandOption {
  const { name, description, type, required = false, autocomplete = false } = given
  const option = { name, description, type, required, autocomplete }
  const made = { ...option, choices: given.choices ?? [], min: given.min ?? null, max: given.max ?? null }
  refuseUnfit(made, at)
  checkChoices(made, at)
  checkBounds(made, at)
  return made
}

function refuseUnfit({ type, choices, autocomplete, min, max }: CommandOption, at: string): void {
  const isValued = valueChecks[type] !== undefined
  if (!isValued && choices.length > 0)
    throw wrong(`${at}.choices are only for types string, integer and number`)
  if (!isValued && autocomplete)
    throw wrong(`${at}.autocomplete is only for types string, integer and number`)
  if (!isValued && (min !== null || max !== null))
    throw wrong(`${at}.min and max are only for types string, integer and number`)
  if (autocomplete && choices.length > 0) throw wrong(`${at}.autocomplete cannot be combined with choices`)
}

function checkChoices({ type, choices }: CommandOption, at: string): void {
  checkChoiceValues(type, choices, `${at}.choices`)
  refuseTwice(namesOf(choices), (place) => `${at}.choices.${place}.name`)
  const values = choices.map(({ value }) => value)
  refuseTwice(values, (place) => `${at}.choices.${place}.value`)
}

/** Checks the choices of an option, or a bot's suggestions for it. */
export function checkChoiceValues(type: string, choices: readonly CommandChoice[], at: string): void {
  const wrongAt = choices.findIndex(({ value }) => !valueChecks[type]?.(value))
  if (wrongAt >= 0) throw wrong(`${at}.${wrongAt}.value must be ${type}`)
  const emptyAt = choices.findIndex(({ value }) => value === '')
  if (emptyAt >= 0) throw wrong(`${at}.${emptyAt}.value must not be empty`)
}

function checkBounds({ type, min, max }: CommandOption, at: string): void {
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound === null) continue
    const isLength = Number.isInteger(bound) && bound >= 0 && bound <= limits.messageMax
    if (type === 'string' && !isLength)
      throw wrong(`${at}.${name} of a string must be an integer from 0 to ${limits.messageMax}`)
    if (type === 'integer' && !Number.isSafeInteger(bound)) throw wrong(`${at}.${name} must be integer`)
  }
  if (min !== null && max !== null && min > max) throw wrong(`${at}.min must not be greater than max`)
}

function namesOf(list: readonly { name: string }[]): string[] {
  return list.map(({ name }) => name)
}

function refuseTwice(keys: readonly (string | number)[], fieldOf: (place: number) => string): void {
  const place = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (place >= 0) throw wrong(`${fieldOf(place)} is used twice`)
}

function wrong(message: string): ApiError {
  return new ApiError('invalid_request', message)
}
