const DOOR = `<rect width="32" height="32" rx="9" fill="#b5482a"/>
<path d="M8.5 26V14.5a7.5 7.5 0 0 1 15 0V26z" fill="#ffe9cf"/>
<path d="M16 7v19h7.5V14.5A7.5 7.5 0 0 0 16 7z" fill="#f4b46a"/>
<circle cx="13.4" cy="17.8" r="1.3" fill="#b5482a"/>`

/** Returns the favicon with a badge that shows the count. */
export function faviconWith(count: number): string {
  const text = count > 9 ? '9+' : String(count)
  const badge = `<circle cx="22" cy="22" r="10" fill="#c4161c" stroke="#fff" stroke-width="1.5"/>
<text x="22" y="26.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="13" fill="#fff">${text}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${DOOR}${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
