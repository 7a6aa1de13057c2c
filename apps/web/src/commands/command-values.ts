import type { CommandOption } from '@foyer/protocol/commands'
import type { InteractionOption } from '@foyer/protocol/interactions'
import { t } from '#src/language/texts.ts'

/** What stands in the field of an option: what was typed, and what was chosen of what is offered. */
export interface Draft {
  readonly text: string
  readonly chosen: InteractionOption['value'] | null
}

export type Drafts = Readonly<Record<string, Draft>>

export const emptyDraft: Draft = { text: '', chosen: null }

interface CommandValues {
  readonly options: InteractionOption[]
  /** What is wrong, by the name of the option. */
  readonly errors: Readonly<Record<string, string>>
}

/** The options as the bot gets them, and what is wrong with them. What was left empty is left out. */
export function readValues(options: readonly CommandOption[], drafts: Drafts): CommandValues {
  const read = options.map((option) => ({ option, ...readValue(option, drafts[option.name] ?? emptyDraft) }))
  return {
    options: read.flatMap(({ option: { name }, value }) => (value === undefined ? [] : { name, value })),
    errors: Object.fromEntries(
      read.flatMap(({ option, error }) => (error === undefined ? [] : [[option.name, error]])),
    ),
  }
}

/** What has been typed so far, for a bot that suggests values of one of them; what is wrong or empty is left out. */
export function readSoFar(
  options: readonly CommandOption[],
  drafts: Drafts,
  focused: { name: string; text: string },
): InteractionOption[] {
  const others = options.filter(({ name }) => name !== focused.name)
  return [...readValues(others, drafts).options, { name: focused.name, value: focused.text, focused: true }]
}

/**
 * The options that have a field though they may be left out: where none is needed, the first, so that one can go on typing. Not
 * where Enter would choose of a list instead of sending the command.
 */
export function firstShown(options: readonly CommandOption[]): readonly string[] {
  const [first] = options
  if (first === undefined || options.some(({ required }) => required)) return []
  return isOneOf(first) || first.autocomplete ? [] : [first.name]
}

/** Whether only what is offered can be chosen. */
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
  if (typed === '') return option.required ? { error: t('This is needed.') } : {}
  if (isOneOf(option)) return { error: t('Choose one of the list.') }
  return option.type === 'string' ? readText(option, typed) : readNumber(option, typed)
}

function readText({ min, max }: CommandOption, typed: string): ReadValue {
  const length = [...typed].length
  if (min !== null && length < min) return { error: t('At least {min} characters.', { min }) }
  if (max !== null && length > max) return { error: t('At most {max} characters.', { max }) }
  return { value: typed }
}

function readNumber({ type, min, max }: CommandOption, typed: string): ReadValue {
  // Half of the world writes a comma.
  const value = Number(typed.replace(',', '.'))
  if (!Number.isFinite(value)) return { error: t('Enter a number.') }
  if (type === 'integer' && !Number.isSafeInteger(value)) return { error: t('Enter a whole number.') }
  if (min !== null && value < min) return { error: t('At least {min}.', { min }) }
  if (max !== null && value > max) return { error: t('At most {max}.', { max }) }
  return { value }
}
