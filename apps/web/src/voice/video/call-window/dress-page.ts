/** Gives the document the styles, language and theme of the page. */
export function dressPage(target: Document): void {
  for (const { name, value } of document.documentElement.attributes)
    target.documentElement.setAttribute(name, value)
  for (const sheet of document.querySelectorAll('link[rel="stylesheet"], style')) {
    const copy = sheet.cloneNode(true)
    if (copy instanceof HTMLLinkElement && sheet instanceof HTMLLinkElement) copy.href = sheet.href
    target.head.append(copy)
  }
  target.title = document.title
}
