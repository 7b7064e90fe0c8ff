import { color, GUTTER, WINDOW_SECONDS } from './theme.js'

const MAX_LANE = 8
const SHORTEST = 4

/** One line for each call, in the lane that was free when it was sent: it waits, runs, or is refused. */
export class Strip {
  #canvas
  #calls = new Map()

  constructor(canvas) {
    this.#canvas = canvas
  }

  clear() {
    this.#calls.clear()
  }

  add(call) {
    const lane = this.#calls.get(call.id)?.lane ?? this.#freeLane(call)
    this.#calls.set(call.id, { ...call, lane })
  }

  draw(now) {
    this.#forgetBefore(now - WINDOW_SECONDS * 1000)
    const scale = devicePixelRatio
    const width = this.#canvas.clientWidth
    const height = this.#canvas.clientHeight
    this.#canvas.width = width * scale
    this.#canvas.height = height * scale
    const context = this.#canvas.getContext('2d')
    context.scale(scale, scale)
    const pixels = (width - GUTTER.left - GUTTER.right) / (WINDOW_SECONDS * 1000)
    const x = (time) => Math.max(GUTTER.left, width - GUTTER.right - (now - time) * pixels)
    const lane = Math.min(MAX_LANE, height / this.#lanes())
    for (const call of this.#calls.values()) {
      for (const [name, from, to] of parts(call, now)) {
        const left = x(from)
        context.fillStyle = color(name)
        context.fillRect(left, call.lane * lane, Math.max(SHORTEST, x(to) - left), Math.max(1, lane - 1))
      }
    }
  }

  #forgetBefore(time) {
    for (const [id, call] of this.#calls) {
      if (call.answered < time && call.answered !== null) {
        this.#calls.delete(id)
      }
    }
  }

  #freeLane(call) {
    const taken = new Set()
    for (const other of this.#calls.values()) {
      if (other.answered === null || other.answered + 1000 > call.sent) {
        taken.add(other.lane)
      }
    }
    let lane = 0
    while (taken.has(lane)) {
      lane++
    }
    return lane
  }

  #lanes() {
    return Math.max(0, ...[...this.#calls.values()].map((call) => call.lane)) + 1
  }
}

function parts({ sent, started, answered, status }, now) {
  if (answered === null) {
    return [['waiting', sent, now]]
  }
  return status === 200 ? [['waiting', sent, started], ['accepted', started, answered]] : [['refused', sent, answered]]
}
