const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** Extracts a bot's id from pasted text: the bare id, or a link that ends with it. Null for anything else. */
export function botIdOf(text: string): string | null {
  const match = new RegExp(`^(?:\\S*/add-bot/)?(${UUID.source})/?$`).exec(text.trim().toLowerCase())
  return match?.[1] ?? null
}
