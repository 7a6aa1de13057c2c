const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The id of a bot in what was pasted: the id itself, or a link that ends with it. Null when there is none. */
export function botIdOf(text: string): string | null {
  const match = new RegExp(`^(?:\\S*/add-bot/)?(${UUID.source})/?$`).exec(text.trim().toLowerCase())
  return match?.[1] ?? null
}
