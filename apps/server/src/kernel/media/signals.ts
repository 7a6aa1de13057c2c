/** Signal by which a child that uses too much memory ends itself. It is not used otherwise, and Node ignores it. */
export const TOO_LARGE_SIGNAL = 'SIGUSR2'
