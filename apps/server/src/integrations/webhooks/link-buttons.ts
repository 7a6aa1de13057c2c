import type { Component, ComponentRow } from '@foyer/protocol/components'
import { limits, MAX_COMPONENT_ROWS } from '@foyer/protocol/limits'
import { cut, httpUrl } from './cards.ts'
import { Payload } from './payload.ts'

const MAX_BUTTONS = 5
const MAX_LABEL = 80
const MAX_EMOJI = 64
/** Discord's number for a button. */
const BUTTON = 2
const LINK = 5

/**
 * Returns buttons that open an address, from rows in our format or Discord's. Other components would wait for an answer
 * that never comes, so they are left out, as are rows without such buttons.
 */
export function linkButtonsOf(components: unknown): ComponentRow[] {
  const rows = new Payload({ components }).list('components', MAX_COMPONENT_ROWS)
  return rows.flatMap((row) => {
    const buttons = row.list('components', MAX_BUTTONS).flatMap(buttonOf)
    return buttons.length === 0 ? [] : [{ components: buttons }]
  })
}

function buttonOf(part: Payload): Component[] {
  const isButton = part.text('type') === 'button' || part.number('type') === BUTTON
  const isLink = part.text('style') === 'link' || part.number('style') === LINK
  const url = httpUrl(part.text('url'))
  const label = cut(part.text('label').toWellFormed(), MAX_LABEL)
  const emoji = emojiOf(part)
  if (!isButton || !isLink || url === null || url.length > limits.urlMax || label + emoji === '') return []
  return [
    {
      type: 'button',
      style: 'link',
      ...(label !== '' && { label }),
      ...(emoji !== '' && { emoji }),
      url,
      disabled: part.isTrue('disabled'),
    },
  ]
}

/** Returns a Unicode emoji. Discord's custom ones are not available here. */
function emojiOf(part: Payload): string {
  const emoji = part.text('emoji') || (part.text('emoji.id') === '' ? part.text('emoji.name') : '')
  return emoji.length <= MAX_EMOJI ? emoji.toWellFormed() : ''
}
