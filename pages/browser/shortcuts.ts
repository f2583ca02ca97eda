import { useEffect } from 'preact/hooks'

/** Where a character is text, and no key of the page. */
const typed = 'input:not([type=checkbox]), select, textarea'

/** Keys of the page: each presses or focuses the element that names it in `aria-keyshortcuts`. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !/^[a-z/]$/.test(event.key)) return
      if (event.target instanceof Element && event.target.closest(typed) !== null) return
      const meant = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${event.key}"]`)
      if (meant === null) return
      event.preventDefault()
      if (meant instanceof HTMLButtonElement) meant.click()
      else meant.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
