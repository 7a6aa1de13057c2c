/** Takes a line; without a level it is for who looks for details. */
export type Log = (message: string, level?: 'debug' | 'warn' | 'error') => void
