import pg from 'pg'

const { builtins } = pg.types

const UUID_ARRAY_OID = 2951

/**
 * Converts rows to the wire format: times as ISO 8601 in UTC with milliseconds, dates as text, bigints as numbers.
 */
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.TIMESTAMPTZ]: isoTime,
  [builtins.DATE]: (text) => text,
  [builtins.INT8]: Number,
  [UUID_ARRAY_OID]: uuids,
}

/** Options for connections with rows in the wire format, in UTC. */
export const wireTypes: Pick<pg.ClientConfig, 'types' | 'options'> = {
  types: {
    getTypeParser: (id: number, format?: 'text' | 'binary') =>
      parsers[id] ?? pg.types.getTypeParser(id, format),
  },
  options: '-c TimeZone=UTC',
}

/** `2026-11-21 10:20:30.5+00` → `2026-11-21T10:20:30.500Z`. */
function isoTime(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, text.lastIndexOf('+')).split('.')
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

/**
 * Parses `{a,b}`. The library's parser reads single characters, 2 µs for each id, and a page of messages may have
 * 10,000.
 */
function uuids(text: string): (string | null)[] {
  if (text === '{}') return []
  const ids = text.slice(1, -1).split(',')
  return text.includes('NULL') ? ids.map((id) => (id === 'NULL' ? null : id)) : ids
}
