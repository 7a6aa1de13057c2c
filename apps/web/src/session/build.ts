/** Of the page's code: the script that it begins with has another name with every build. */
export function buildOf(document: Document): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
}
