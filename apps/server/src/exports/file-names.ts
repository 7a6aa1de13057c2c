/** Maximum characters kept of a name that a person chose. The last ones are kept, because they include the extension. */
const MAX_LENGTH = 80
/** Characters to replace: all but letters and digits of any script, dots, underscores and hyphens. */
const NOT_PLAIN = /[^\p{L}\p{N}._-]+/gu

/**
 * Returns a name for a file in an archive: unique by the id, and harmless wherever it is unpacked. It has no slashes, no
 * leading dots, and no characters that change the direction of the text.
 */
export function fileNameOf(id: string, given: string): string {
  const plain = given.toWellFormed().normalize('NFC').replace(NOT_PLAIN, '_')
  return `${id}-${[...plain].slice(-MAX_LENGTH).join('')}`
}
