/** Takes a line. Without a level it is a detail. */
export type Log = (message: string, level?: 'debug' | 'warn' | 'error') => void
