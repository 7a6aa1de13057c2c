import { useId, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { staysWithin } from '#src/ui/lists/is-within.ts'
import './blocked-line.css'
import type { BlockedRow } from '../timeline/rows.ts'
import { blockedWords } from './blocked-words.ts'
import type { ShowBlocked } from './use-blocked-runs.ts'

interface BlockedLineProps {
  row: BlockedRow
  isTabStop: boolean
  onShow: ShowBlocked
}

/** A row in place of messages by blocked people. While the messages are shown, it stays above them. */
export function BlockedLine({ row, isTabStop, onShow }: BlockedLineProps) {
  const { key, messages, isShown } = row
  const [hasFocus, setHasFocus] = useState(false)
  const wordsId = useId()
  const ids = messages.map(({ id }) => id)
  const people = new Set(messages.map(({ author }) => author.id))

  return (
    <li
      className="blocked-line"
      data-row={key}
      tabIndex={isTabStop ? 0 : -1}
      aria-labelledby={wordsId}
      onFocus={() => setHasFocus(true)}
      onBlur={(event) => staysWithin(event) || setHasFocus(false)}
    >
      <span id={wordsId}>{blockedWords(messages.length, people.size)}</span>
      <Button
        look="text"
        tabIndex={hasFocus ? 0 : -1}
        aria-expanded={isShown}
        aria-describedby={wordsId}
        onClick={() => onShow(ids, !isShown)}
      >
        {isShown ? t('Hide') : t('Show')}
      </Button>
    </li>
  )
}
