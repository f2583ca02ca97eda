import { render, type ComponentChildren } from 'preact'

/** Draws the page into the place that the document has for it. */
export function mount(page: ComponentChildren): void {
  const place = document.getElementById('page')
  if (place !== null) render(page, place)
}

/** The data embedded in the document. */
export function embeddedData(): unknown {
  return JSON.parse(document.getElementById('data')?.textContent ?? 'null')
}
