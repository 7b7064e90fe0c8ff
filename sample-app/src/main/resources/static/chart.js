import { color, GUTTER, WINDOW_SECONDS } from './theme.js'

const MARGIN_SECONDS = 2

/** Tokens and waiting calls as lines, accepted and refused calls of each moment as bars on each other. */
export class Chart {
  #element
  #plot
  #moments = []

  constructor(element) {
    this.#element = element
    this.#plot = new uPlot(this.#options(), [[], [], [], [], []], element)
    new ResizeObserver(() => this.#plot.setSize(this.#size())).observe(element)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw())
  }

  clear() {
    this.#moments = []
  }

  /** Adds the state of a gate; returns how many calls it accepted and refused in the time that is shown. */
  add(seconds, state) {
    const before = this.#moments.at(-1)?.state ?? state
    this.#moments.push({
      seconds,
      state,
      accepted: state.accepted - before.accepted,
      refused: state.refused - before.refused
    })
    this.#moments = this.#moments.filter((moment) => moment.seconds > seconds - WINDOW_SECONDS - MARGIN_SECONDS)
    this.#draw()
    const shown = this.#moments.filter((moment) => moment.seconds > seconds - WINDOW_SECONDS)
    const sum = (name) => shown.reduce((total, moment) => total + moment[name], 0)
    return { accepted: sum('accepted'), refused: sum('refused') }
  }

  #draw() {
    const column = (value) => this.#moments.map(value)
    this.#plot.setData([
      column((moment) => moment.seconds),
      column((moment) => moment.state.tokens),
      column((moment) => (moment.accepted + moment.refused) || null),
      column((moment) => moment.accepted || null),
      column((moment) => moment.state.waiting)
    ])
  }

  #now() {
    return this.#moments.at(-1)?.seconds ?? 0
  }

  #size() {
    return { width: this.#element.clientWidth, height: this.#element.clientHeight }
  }

  #highest() {
    const values = this.#moments.flatMap(({ state, accepted, refused }) =>
      [state.capacity, state.waiting, accepted + refused])
    return Math.max(5, ...values) * 1.05
  }

  #options() {
    const bars = uPlot.paths.bars({ size: [1, 12, 3], align: -1 })
    const steps = uPlot.paths.stepped({ align: 1 })
    const axis = {
      stroke: () => color('quiet'),
      grid: { stroke: () => color('line'), width: 1 },
      ticks: { show: false }
    }
    const series = (name, options) => ({ stroke: () => color(name), points: { show: false }, ...options })
    return {
      ...this.#size(),
      padding: [8, GUTTER.right, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => [this.#now() - WINDOW_SECONDS, this.#now()] },
        y: { range: () => [0, this.#highest()] }
      },
      axes: [
        {
          ...axis,
          size: 24,
          splits: () => [-30, -20, -10, 0].map((seconds) => this.#now() + seconds),
          values: (plot, splits) => ['−30 s', '−20 s', '−10 s', 'now']
        },
        { ...axis, size: GUTTER.left, incrs: [1, 2, 5, 10, 20, 50] }
      ],
      series: [
        {},
        series('tokens', { width: 2, fill: () => color('tokens-area'), paths: steps }),
        series('refused', { width: 0, fill: () => color('refused'), paths: bars }),
        series('accepted', { width: 0, fill: () => color('accepted'), paths: bars }),
        series('waiting', { width: 2, dash: [6, 3], paths: steps })
      ]
    }
  }
}
