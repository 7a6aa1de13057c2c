/** Logs a line. A line without a level is a detail. */
export type Log = (message: string, level?: 'debug' | 'warn' | 'error') => void
