import type { CommandOption } from '@foyer/protocol/commands'
import type { InteractionOption } from '@foyer/protocol/interactions'
import { t } from '#src/language/texts.ts'

/** State of an option's field: the typed text and the chosen value. */
export interface Draft {
  readonly text: string
  readonly chosen: InteractionOption['value'] | null
}

export type Drafts = Readonly<Record<string, Draft>>

export const emptyDraft: Draft = { text: '', chosen: null }

interface CommandValues {
  readonly options: InteractionOption[]
  /** Error messages by option name. */
  readonly errors: Readonly<Record<string, string>>
}

/** Returns the options as sent to the bot, without empty ones, and the errors. */
export function readValues(options: readonly CommandOption[], drafts: Drafts): CommandValues {
  const read = options.map((option) => ({ option, ...readValue(option, drafts[option.name] ?? emptyDraft) }))
  return {
    options: read.flatMap(({ option: { name }, value }) => (value === undefined ? [] : { name, value })),
    errors: Object.fromEntries(
      read.flatMap(({ option, error }) => (error === undefined ? [] : [[option.name, error]])),
    ),
  }
}

/** Returns the options filled in so far, for a bot's suggestions. Invalid and empty ones are left out. */
export function readSoFar(
  options: readonly CommandOption[],
  drafts: Drafts,
  focused: { name: string; text: string },
): InteractionOption[] {
  const others = options.filter(({ name }) => name !== focused.name)
  return [...readValues(others, drafts).options, { name: focused.name, value: focused.text, focused: true }]
}

/**
 * Returns the optional options shown from the start: the first one if none is required, so that the user can keep typing. None
 * if Enter would pick from a list instead of sending the command.
 */
export function firstShown(options: readonly CommandOption[]): readonly string[] {
  const [first] = options
  if (first === undefined || options.some(({ required }) => required)) return []
  return isOneOf(first) || first.autocomplete ? [] : [first.name]
}

/** Returns true if only listed values are valid. */
export function isOneOf({ type, choices }: CommandOption): boolean {
  return choices.length > 0 || ['boolean', 'user', 'room', 'role'].includes(type)
}

interface ReadValue {
  readonly value?: InteractionOption['value']
  readonly error?: string
}

function readValue(option: CommandOption, { text, chosen }: Draft): ReadValue {
  if (chosen !== null) return { value: chosen }
  const typed = text.trim()
  if (typed === '') return option.required ? { error: t('This field is required.') } : {}
  if (isOneOf(option)) return { error: t('Choose an option from the list.') }
  return option.type === 'string' ? readText(option, typed) : readNumber(option, typed)
}

function readText({ min, max }: CommandOption, typed: string): ReadValue {
  const length = [...typed].length
  if (min !== null && length < min) return { error: t('At least {min} characters.', { min }) }
  if (max !== null && length > max) return { error: t('Enter at most {max} characters.', { max }) }
  return { value: typed }
}

function readNumber({ type, min, max }: CommandOption, typed: string): ReadValue {
  // Many locales use a decimal comma.
  const value = Number(typed.replace(',', '.'))
  if (!Number.isFinite(value)) return { error: t('Enter a number.') }
  if (type === 'integer' && !Number.isSafeInteger(value)) return { error: t('Enter a whole number.') }
  if (min !== null && value < min) return { error: t('Enter {min} or more.', { min }) }
  if (max !== null && value > max) return { error: t('Enter {max} or less.', { max }) }
  return { value }
}
