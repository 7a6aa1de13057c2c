import { locale } from './texts.ts'

/**
 * Defers the creation of a formatter for times, numbers or lists until its first use. A browser takes up to tens of
 * milliseconds to create one, and most pages need few.
 * @returns a function that creates the formatter once
 */
export function lazily<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

const conjunction = lazily(() => new Intl.ListFormat(locale(), { type: 'conjunction' }))

/** Joins names as in "A, B, and C". */
export function joined(names: readonly string[]): string {
  return conjunction().format(names)
}
