/** What became of the bursts of a gate, told in words when a burst is over. */
export class Bursts {
  #status
  #open = new Map()

  constructor(status) {
    this.#status = status
  }

  async send(gate, calls) {
    this.#status.textContent = `Sending ${count(calls)}…`
    const response = await fetch(`/bursts/${gate}?calls=${calls}`, { method: 'POST' }).catch(() => null)
    if (!response?.ok) {
      this.#status.textContent = 'The burst could not be sent.'
    }
  }

  clear() {
    this.#open.clear()
  }

  add({ burst, sent, answered, status }) {
    if (answered === null) {
      return
    }
    const burstSoFar = this.#open.get(burst.id) ?? { first: sent, last: answered, accepted: 0, refused: 0, failed: 0 }
    this.#open.set(burst.id, burstSoFar)
    burstSoFar[outcome(status)]++
    burstSoFar.first = Math.min(burstSoFar.first, sent)
    burstSoFar.last = Math.max(burstSoFar.last, answered)
    if (burstSoFar.accepted + burstSoFar.refused + burstSoFar.failed === burst.calls) {
      this.#open.delete(burst.id)
      this.#status.textContent = sentence(burst, burstSoFar)
    }
  }
}

function outcome(status) {
  return { 200: 'accepted', 429: 'refused', 503: 'refused' }[status] ?? 'failed'
}

function sentence(burst, { first, last, accepted, refused, failed }) {
  const seconds = ((last - first) / 1000).toFixed(1)
  const failures = failed > 0 ? `, ${failed} failed` : ''
  return `${count(burst.calls)}: ${accepted} accepted, ${refused} refused${failures}, done after ${seconds} s.`
}

function count(calls) {
  return calls === 1 ? '1 call' : `${calls} calls`
}
