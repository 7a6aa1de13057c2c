import { limits, MAX_MESSAGE_FILES, MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { counted, t } from '#src/language/texts.ts'
import { formatSize } from './size.ts'

/** What was chosen, and whether it may go along. */
export interface Checked {
  readonly accepted: readonly File[]
  /** Why not all of it is, one sentence for each reason. */
  readonly refusals: readonly string[]
}

/**
 * Picks what can be attached from what was chosen, before anything is sent. What the storage of a space takes, only the
 * server knows; it says so before the file is sent.
 * @param held how many files the message has already
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
        t('{name} is over {size}, the most a file may have.', { name, size: formatSize(MAX_UPLOAD_BYTES) }),
      ),
      ...(tooMany === 0
        ? []
        : [
            counted(
              tooMany,
              'A message takes at most {max} files: {count} of yours did not fit in.',
              'A message takes at most {max} files: {count} of yours did not fit in.',
              { max: MAX_MESSAGE_FILES },
            ),
          ]),
    ],
  }
}

const FORBIDDEN = /[/\\\p{Cc}\p{Bidi_Control}]/gu

/** A file's name as the server takes it: without what could pass for a path or turn the reading direction. */
export function cleanName(name: string): string {
  const clean = name.toWellFormed().replace(FORBIDDEN, '_').trim()
  if (clean === '' || clean === '.' || clean === '..') return 'file'
  return shortened([...clean])
}

/** A long name loses its middle, not its ending. */
function shortened(characters: readonly string[]): string {
  if (characters.length <= limits.filenameMax) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= 16 ? characters.slice(dot) : []
  return [...characters.slice(0, limits.filenameMax - ending.length), ...ending].join('')
}
