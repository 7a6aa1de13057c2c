import pino, { type DestinationStream, type Logger } from 'pino'

/** Names under which credentials travel. No line has them on purpose; this catches the object that slips in whole. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-session-token',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'session_token',
  'accessToken',
  'refreshToken',
  'sessionToken',
  'secret',
  'secretKey',
  'secret_access_key',
  'secretAccessKey',
  'email',
]

/**
 * The server's log: JSON lines, without secrets.
 * @param level the least that is worth a line
 * @param destination standard output unless given
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS.flatMap(placesOf), censor: '[secret]' },
    serializers: { err: plainError, error: plainError, req: nothing, res: nothing },
  }
  return pino(options, destination)
}

/** At the top of a line, and up to two objects down. */
function placesOf(field: string): string[] {
  const key = `["${field}"]`
  return [key, `*${key}`, `*.*${key}`]
}

/** Without what libraries hang on their errors: PostgreSQL's tell the values of the row, HTTP's the whole request. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : plainError(error.cause)
  return { name, message, code, stack, cause }
}

/** Fastify's own lines would tell the whole address of a request, and addresses may hold tokens. */
function nothing(): undefined {
  return undefined
}
