import type { Event } from '#src/kernel/bus.ts'

const NUMBERED = new Set(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'])
const FIELD = '"seq":'

/**
 * The number of the message that the event is about; undefined for what is about none, or several. The fields before it are
 * ids: nobody's words can match.
 */
export function seqOf({ name, data }: Pick<Event, 'name' | 'data'>): number | undefined {
  if (!NUMBERED.has(name)) return undefined
  const at = data.indexOf(FIELD)
  return at === -1 ? undefined : Number.parseInt(data.slice(at + FIELD.length, at + FIELD.length + 16), 10)
}
