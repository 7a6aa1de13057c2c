/** Returns whether the path is the server's own. All others are the web client's. */
export function isServerPath(path: string): boolean {
  return /^\/(api|attachments|gateway|metrics|read|storage)(\/|$)/.test(path)
}

/** Returns the address without its query. */
export function pathOf(address: string): string {
  return URL.parse(address, 'http://foyer')?.pathname ?? ''
}
