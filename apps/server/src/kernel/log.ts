import pino, { type DestinationStream, type Logger } from 'pino'

/** Names of fields with credentials. They are never logged on purpose; this catches objects logged as a whole. */
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
 * Creates the server's log: JSON lines, without secrets.
 * @param level the lowest level written
 * @param destination standard output by default
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

/** Returns the paths of a field: at the top of a log line, and in objects up to two levels below. */
function placesOf(field: string): string[] {
  const key = `["${field}"]`
  return [key, `*${key}`, `*.*${key}`]
}

/**
 * Drops the fields that libraries add to their errors: PostgreSQL's contain values of the row, HTTP's the whole
 * request.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : plainError(error.cause)
  return { name, message, code, stack, cause }
}

/** Replaces Fastify's own log lines, which contain whole URLs and thereby tokens. */
function nothing(): undefined {
  return undefined
}
