/** What the server calls itself to strangers. Many sites show what is behind a link only to who begins like this. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; Foyer)'
