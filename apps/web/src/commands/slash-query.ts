import type { AvailableCommand } from '@foyer/protocol/commands'

/** What was typed behind the slash: the name, or its beginning, and what follows it. */
interface SlashQuery {
  readonly name: string
  /** Null while the name is still being typed. */
  readonly rest: string | null
}

/** What is typed of a command in the text of a composer; null for a text that is none. */
export function slashQuery(text: string): string | null {
  return /^\/[^/\s]*( |$)/.test(text) ? text.slice(1) : null
}

export function readQuery(query: string): SlashQuery {
  const space = query.indexOf(' ')
  if (space === -1) return { name: query.toLowerCase(), rest: null }
  return { name: query.slice(0, space).toLowerCase(), rest: query.slice(space + 1) }
}

/** The commands that may be meant: those that begin so, then those that have it somewhere. */
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

/** A name that was typed to its end, of one bot's command alone, chooses it. */
export function typedOut(commands: readonly AvailableCommand[], query: string): AvailableCommand | undefined {
  if (readQuery(query).rest === null) return undefined
  const [command, another] = meantCommands(commands, query)
  return another === undefined ? command : undefined
}

export function nameOfBot({ bot }: Pick<AvailableCommand, 'bot'>): string {
  return bot.alias ?? bot.username
}
