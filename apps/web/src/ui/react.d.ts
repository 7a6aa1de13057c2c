import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Of an avatar or a tile, in degrees; its stylesheet makes the colours. */
    '--hue'?: number
  }
}
