import pino, { type Logger } from 'pino'

/** Structured logs on standard output. What could hold a secret is not logged at all, and redacted should it be. */
export function createLog(level: string): Logger {
  return pino({
    level,
    redact: { paths: ['*.password', '*.token', '*.access_token', '*.refresh_token', '*.session_token', '*.email', '*.authorization', '*.cookie'], remove: true },
  })
}
