import { color, GUTTER, WINDOW_SECONDS } from './theme.js'

const WINDOW_MILLIS = WINDOW_SECONDS * 1000
const GAP_MILLIS = 1000
const MAX_LANE = 8
const SHORTEST = 4

/** A lane for each call, in which it waits, runs, or is refused; those of a burst in the order in which they passed. */
export class Strip {
  #canvas
  #bursts = new Map()

  constructor(canvas) {
    this.#canvas = canvas
  }

  clear() {
    this.#bursts.clear()
  }

  add(call) {
    const { id, calls: lanes } = call.burst
    if (!this.#bursts.has(id)) {
      this.#bursts.set(id, { first: this.#freeLanes(lanes, call.sent), lanes, calls: new Map() })
    }
    this.#bursts.get(id).calls.set(call.id, call)
  }

  draw(now) {
    this.#forgetBefore(now - WINDOW_MILLIS)
    const { context, width, height } = this.#clean()
    const pixels = (width - GUTTER.left - GUTTER.right) / WINDOW_MILLIS
    const x = (time) => width - GUTTER.right - Math.min(WINDOW_MILLIS, now - time) * pixels
    const lane = Math.min(MAX_LANE, height / Math.max(...this.#all().map(end), 1))
    for (const { first, calls } of this.#all()) {
      [...calls.values()].sort(byPassage).forEach((call, index) => {
        for (const [name, from, to] of parts(call, now).filter(([, , to]) => to > now - WINDOW_MILLIS)) {
          context.fillStyle = color(name)
          context.fillRect(x(from), (first + index) * lane, Math.max(SHORTEST, x(to) - x(from)), Math.max(1, lane - 1))
        }
      })
    }
  }

  #clean() {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    this.#canvas.width = width * devicePixelRatio
    this.#canvas.height = height * devicePixelRatio
    const context = this.#canvas.getContext('2d')
    context.scale(devicePixelRatio, devicePixelRatio)
    return { context, width, height }
  }

  #forgetBefore(time) {
    for (const [id, burst] of this.#bursts) {
      if (!isUnderWay(burst, time)) {
        this.#bursts.delete(id)
      }
    }
  }

  /** Returns the first of as many lanes as are wanted that no burst under way has. */
  #freeLanes(lanes, time) {
    let first = 0
    for (const burst of this.#all().sort((one, other) => one.first - other.first)) {
      if (first + lanes > burst.first && isUnderWay(burst, time - GAP_MILLIS)) {
        first = Math.max(first, end(burst))
      }
    }
    return first
  }

  #all() {
    return [...this.#bursts.values()]
  }
}

function end({ first, lanes }) {
  return first + lanes
}

function isUnderWay({ calls }, time) {
  return [...calls.values()].some(({ answered }) => answered === null || answered > time)
}

function byPassage(one, other) {
  return passage(one) - passage(other) || one.id - other.id
}

/** Returns when a call passed; later than all others if it has not yet, and last if it never will. */
function passage({ started, answered }) {
  return started ?? (answered === null ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER)
}

function parts({ sent, started, answered }, now) {
  if (started !== null) {
    return [['waiting', sent, started], ['accepted', started, answered]]
  }
  return answered === null ? [['waiting', sent, now]] : [['refused', sent, answered]]
}
