/** What a child ends itself with when it has taken too much memory. Nobody else sends it, and Node does nothing with it. */
export const TOO_LARGE_SIGNAL = 'SIGUSR2'
