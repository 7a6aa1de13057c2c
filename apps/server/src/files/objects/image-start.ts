/** Bytes at the beginning of a file that identify an image. */
export const IMAGE_START_BYTES = 16

/** Returns true for the beginning of an image of the kinds that are cleaned. */
export function isImageStart(start: Buffer): boolean {
  const text = start.toString('latin1')
  return (
    text.startsWith('\x89PNG') ||
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('GIF8') ||
    /^(?:II[*+]\0|MM\0[*+])/.test(text) ||
    (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') ||
    (text.slice(4, 8) === 'ftyp' && /^(?:avif|avis|mif1|msf1|hei[cxms]|hev[cxms])/.test(text.slice(8)))
  )
}
