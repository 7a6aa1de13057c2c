import type { CommandOption } from '@foyer/protocol/commands'
import type { InteractionOption } from '@foyer/protocol/interactions'
import { limits } from '@foyer/protocol/limits'
import type { ChannelAccess } from '#src/channels/access.ts'
import { valueChecks } from '#src/integrations/commands/checks.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { viewOf } from '#src/spaces/snapshots.ts'

type Value = InteractionOption['value']

/**
 * Checks a command's options.
 * @throws ApiError 400 for options that the command does not take, with a message that begins with the option
 */
export async function checkOptions(
  database: Queryable,
  access: ChannelAccess,
  options: readonly CommandOption[],
  given: readonly InteractionOption[],
): Promise<InteractionOption[]> {
  const named = nameOptions(options, given)
  const missing = options.find(
    ({ name, required }) => required && !named.some((each) => each.option.name === name),
  )
  if (missing !== undefined) throw wrong(missing.name, 'is required')
  for (const { option, value } of named) checkValue(option, value)
  await checkIds(database, access, named)
  return named.map(({ option: { name }, value }) => ({ name, value }))
}

/**
 * Checks unfinished options for autocompletion: the focused one may have any text, and none is required yet.
 * @throws ApiError 400 for an option without suggestions, or a value of another type
 */
export function checkTyped(
  options: readonly CommandOption[],
  given: readonly InteractionOption[],
): InteractionOption[] {
  const named = nameOptions(options, given)
  const [focused, ...more] = named.filter((each) => each.isFocused)
  if (focused === undefined || more.length > 0)
    throw wrong(undefined, 'must have exactly one that is focused')
  if (!focused.option.autocomplete) throw wrong(focused.option.name, 'has no suggestions')
  if (typeof focused.value === 'boolean') throw wrong(focused.option.name, 'must be text')
  for (const { option, value, isFocused } of named) if (!isFocused) checkType(option, value)
  return named.map(({ option: { name }, value, isFocused }) =>
    isFocused ? { name, value, focused: true } : { name, value },
  )
}

interface NamedOption {
  option: CommandOption
  value: Value
  isFocused: boolean
}

function nameOptions(options: readonly CommandOption[], given: readonly InteractionOption[]): NamedOption[] {
  const byName = new Map(options.map((option) => [option.name, option]))
  return given.map(({ name, value, focused = false }) => {
    const option = byName.get(name)
    if (option === undefined) throw wrong(name, 'is not an option of the command, or is given twice')
    byName.delete(name)
    return { option, value: isIdOption(option) ? smallLetters(value) : value, isFocused: focused }
  })
}

function checkValue(option: CommandOption, value: Value): void {
  checkType(option, value)
  const { name, choices } = option
  if (choices.length > 0 && !choices.some((choice) => choice.value === value))
    throw wrong(name, 'must be one of its choices')
  if (choices.length === 0) checkBounds(option, value)
}

const checks: Readonly<Record<string, (value: Value) => boolean>> = {
  ...valueChecks,
  boolean: (value) => typeof value === 'boolean',
  user: isId,
  room: isId,
  role: isId,
}

const ID_TYPES = ['user', 'room', 'role']

function isIdOption({ type }: CommandOption): boolean {
  return ID_TYPES.includes(type)
}

function smallLetters(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function isId(value: Value): boolean {
  return typeof value === 'string' && WRITTEN_UUID.test(value)
}

function checkType({ name, type }: CommandOption, value: Value): void {
  if (!checks[type]?.(value)) throw wrong(name, `must be ${type}`)
}

function checkBounds({ name, type, min, max }: CommandOption, value: Value): void {
  const isText = type === 'string'
  const size = isText ? [...String(value)].length : Number(value)
  const least = min ?? (isText ? 0 : Number.NEGATIVE_INFINITY)
  const most = max ?? (isText ? limits.messageMax : Number.POSITIVE_INFINITY)
  const what = isText ? 'have a length of' : 'be'
  if (size < least) throw wrong(name, `must ${what} at least ${least}`)
  if (size > most) throw wrong(name, `must ${what} at most ${most}`)
}

/** Checks that users are in the channel, rooms are visible to the invoker, and roles belong to the space. */
async function checkIds(
  database: Queryable,
  access: ChannelAccess,
  named: readonly NamedOption[],
): Promise<void> {
  const idsOf = (type: string) =>
    named.filter(({ option }) => option.type === type).map(({ value }) => String(value))
  const here = await presentUsers(database, access, idsOf('user'))
  const { room } = access
  const mayView = room === null ? () => false : viewOf(room.snapshot, room.member)
  const tests: Readonly<Record<string, (id: string) => boolean>> = {
    user: (id) => here.has(id),
    room: mayView,
    role: (id) => room?.snapshot.roles.has(id) ?? false,
  }
  for (const { option, value } of named)
    if (tests[option.type]?.(String(value)) === false)
      throw wrong(option.name, `must be a ${option.type} of this space or conversation`)
}

async function presentUsers(
  database: Queryable,
  { room, conversation }: ChannelAccess,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (room === null) return new Set(conversation.memberIds)
  const members = ids.length === 0 ? [] : await findMembers(database, room.spaceId, ids)
  return new Set(members.map((member) => member.user_id))
}

function wrong(name: string | undefined, complaint: string): ApiError {
  const at = name === undefined ? 'options' : `options.${name}`
  return new ApiError('invalid_request', `${at} ${complaint}`)
}
