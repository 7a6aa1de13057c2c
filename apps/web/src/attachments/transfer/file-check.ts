import { limits, MAX_MESSAGE_FILES, MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { counted, t } from '#src/language/texts.ts'
import { formatSize } from './size.ts'

/** The chosen files that can be attached, and why others cannot. */
export interface Checked {
  readonly accepted: readonly File[]
  /** The reasons, one sentence each. */
  readonly refusals: readonly string[]
}

/**
 * Picks the files that can be attached, before anything is sent. Only the server knows the limits of a space's
 * storage. It checks them before the file is sent.
 * @param held the number of files the message already has
 */
export function checkFiles(files: readonly File[], held: number): Checked {
  const fitting = files.filter(({ size }) => size <= MAX_UPLOAD_BYTES)
  const accepted = fitting.slice(0, Math.max(0, MAX_MESSAGE_FILES - held))
  const tooLarge = files.filter(({ size }) => size > MAX_UPLOAD_BYTES)
  const tooMany = fitting.length - accepted.length
  return {
    accepted,
    refusals: [
      ...tooLarge.map(({ name }) =>
        t('{name} is too large. Files can be up to {size}.', { name, size: formatSize(MAX_UPLOAD_BYTES) }),
      ),
      ...(tooMany === 0
        ? []
        : [
            counted(
              tooMany,
              'A message can have up to {max} files. {count} file wasn’t added.',
              'A message can have up to {max} files. {count} files weren’t added.',
              { max: MAX_MESSAGE_FILES },
            ),
          ]),
    ],
  }
}

const FORBIDDEN = /[/\\\p{Cc}\p{Bidi_Control}]/gu

/**
 * Removes characters that the server refuses: path separators, control characters and changes of the text direction.
 */
export function cleanName(name: string): string {
  const clean = name.toWellFormed().replace(FORBIDDEN, '_').trim()
  if (clean === '' || clean === '.' || clean === '..') return 'file'
  return shortened([...clean])
}

/** Shortens a long name but keeps its extension. */
function shortened(characters: readonly string[]): string {
  if (characters.length <= limits.filenameMax) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : []
  return [...characters.slice(0, limits.filenameMax - extension.length), ...extension].join('')
}
