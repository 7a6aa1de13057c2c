/** Returns the build of the page's code: the path of its first script, which every build names differently. */
export function buildOf(document: Document): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
}
