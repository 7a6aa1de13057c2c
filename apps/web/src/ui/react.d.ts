import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Hue of an avatar or tile in degrees, from which the stylesheet derives the colours. */
    '--hue'?: number
    /** Colours of a role's gradient. The middle one is optional. */
    '--role-from'?: string
    '--role-via'?: string
    '--role-to'?: string
    /** Approximate number of rows, for the height before they render. */
    '--rows'?: number
    /** Empty lines between two blocks of a message. */
    '--lines'?: number
    /** Colour of the bar next to an embed. */
    '--embed-color'?: string
    /** Colour of a forum's tag. */
    '--tag-color'?: string | undefined
  }
}
