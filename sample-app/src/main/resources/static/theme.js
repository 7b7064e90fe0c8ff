/** The colours of the style sheet, for what is painted on a canvas. */

const style = getComputedStyle(document.documentElement)

export const color = (name) => style.getPropertyValue(`--${name}`).trim()

/** Where the plot begins and ends between the edges of a canvas, in CSS pixels. */
export const GUTTER = { left: 34, right: 16 }

export const WINDOW_SECONDS = 30
