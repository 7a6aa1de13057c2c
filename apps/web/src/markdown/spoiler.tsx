import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'

/** Hidden text that stays visible once revealed. Screen readers skip it until then. */
export function Spoiler({ children }: { children: ReactNode }) {
  const [isShown, setIsShown] = useState(false)
  const tabIndex = useRowPart()
  if (isShown) return <span className="md-spoiler">{children}</span>

  function show(event: MouseEvent | KeyboardEvent) {
    // A click reveals a hidden link and does not open it.
    event.preventDefault()
    event.stopPropagation()
    setIsShown(true)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a button does not wrap across lines like text
    <span
      role="button"
      className="md-spoiler"
      data-hidden
      tabIndex={tabIndex}
      aria-label={t('Show spoiler')}
      aria-expanded={false}
      onClickCapture={show}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') show(event)
      }}
    >
      <span aria-hidden="true" inert>
        {children}
      </span>
    </span>
  )
}
