import type { CSSProperties } from 'react'
import './colored-name.css'

/**
 * A name in the colours of a role, adjusted to stay readable on light and dark backgrounds. `bdi` isolates names in the
 * opposite text direction, so that they do not reorder the text around them.
 */
export function ColoredName({ colors, children }: { colors: readonly string[]; children: string }) {
  if (colors.length === 0) return <bdi>{children}</bdi>
  return (
    <bdi className="colored-name" data-gradient={colors.length > 1 || undefined} style={styleOf(colors)}>
      {children}
    </bdi>
  )
}

/** A dot in the colours of a role; hollow without colours. */
export function ColorDot({ colors }: { colors: readonly string[] }) {
  return (
    <span
      className="color-dot"
      aria-hidden="true"
      data-empty={colors.length === 0 || undefined}
      style={styleOf(colors)}
    />
  )
}

function styleOf(colors: readonly string[]): CSSProperties {
  const [from, to] = [colors[0], colors.at(-1)]
  if (from === undefined || to === undefined) return {}
  const via = colors.length > 2 && colors[1] !== undefined ? { '--role-via': colors[1] } : {}
  return { '--role-from': from, ...via, '--role-to': to }
}
