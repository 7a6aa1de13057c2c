import type { AvailableCommand } from '@foyer/protocol/commands'

/** Text after the slash: a name, or its beginning, and the rest. */
interface SlashQuery {
  readonly name: string
  /** Null while the name is being typed. */
  readonly rest: string | null
}

/** Returns the command being typed; null if the text is not a command. */
export function slashQuery(text: string): string | null {
  return /^\/[^/\s]*( |$)/.test(text) ? text.slice(1) : null
}

/**
 * Returns the name that the text calls as a command: one slash at the very start, a name that a command may have, then
 * whitespace or the end. Null for paths such as `/etc/hosts`, and after leading whitespace.
 */
export function calledCommand(text: string): string | null {
  return /^\/([a-z0-9_-]{1,32})(?:\s|$)/i.exec(text)?.[1]?.toLowerCase() ?? null
}

export function readQuery(query: string): SlashQuery {
  const space = query.indexOf(' ')
  if (space === -1) return { name: query.toLowerCase(), rest: null }
  return { name: query.slice(0, space).toLowerCase(), rest: query.slice(space + 1) }
}

/** Returns the commands that start with the query, then those that contain it or whose bot's name starts with it. */
export function meantCommands(commands: readonly AvailableCommand[], query: string): AvailableCommand[] {
  const { name, rest } = readQuery(query)
  if (rest !== null) return commands.filter((command) => command.name === name)
  const begins = commands.filter((command) => command.name.startsWith(name))
  const holds = commands.filter(
    (command) =>
      !begins.includes(command) &&
      (command.name.includes(name) || nameOfBot(command).toLowerCase().startsWith(name)),
  )
  return [...begins, ...holds]
}

/** Returns the command whose name was typed in full, if only one bot has it. */
export function typedOut(commands: readonly AvailableCommand[], query: string): AvailableCommand | undefined {
  if (readQuery(query).rest === null) return undefined
  const [command, another] = meantCommands(commands, query)
  return another === undefined ? command : undefined
}

export function nameOfBot({ bot }: Pick<AvailableCommand, 'bot'>): string {
  return bot.alias ?? bot.username
}
