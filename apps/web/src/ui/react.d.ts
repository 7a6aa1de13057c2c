import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Of an avatar or a tile, in degrees; its stylesheet makes the colours. */
    '--hue'?: number
    /** The colours of a role, from the first to the last; the one between is not always there. */
    '--role-from'?: string
    '--role-via'?: string
    '--role-to'?: string
    /** Rows of a group of tiles, about: it is as high before it is drawn. */
    '--rows'?: number
    /** Empty lines between two blocks of a message. */
    '--lines'?: number
    /** Of the bar beside what a link or a bot shows. */
    '--embed-color'?: string
  }
}
