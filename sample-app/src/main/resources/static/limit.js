const UNITS = { PT1S: 'a second', PT1M: 'a minute', PT1H: 'an hour' }

const SETTLING_MILLIS = 1000

/** Sliders that change a limit through the actuator endpoint while it is in use. */
export class Limit {
  #url
  #form
  #per = 'PT1S'
  #pending = null
  #busy = false
  #followsAgain = 0

  constructor(name, form) {
    this.#url = `/actuator/ratelimits/${name}`
    this.#form = form
    form.append(document.getElementById('limit').content.cloneNode(true))
    for (const input of form.querySelectorAll('input')) {
      input.id = `${name}-${input.name}`
      input.previousElementSibling.htmlFor = input.id
      input.addEventListener('input', () => this.#move(input))
    }
    form.querySelector('.refill').addEventListener('click', () => this.#request({ method: 'DELETE' }))
    form.addEventListener('submit', (event) => event.preventDefault())
  }

  /** Shows the limit in force, whoever has changed it, unless a slider is being moved. */
  follow(limit) {
    if (performance.now() < this.#followsAgain) {
      return
    }
    this.#per = limit.per
    this.#show('rate', limit.rate)
    this.#show('capacity', limit.capacity)
  }

  #show(name, value) {
    const input = this.#form.elements[name]
    input.value = value
    this.#label(input, value)
  }

  #label(input, value) {
    const unit = input.name === 'rate' ? (UNITS[this.#per] ?? `per ${this.#per}`) : 'tokens'
    input.nextElementSibling.value = `${value} ${unit}`
    input.setAttribute('aria-valuetext', `${value} ${unit}`)
  }

  #move(input) {
    this.#followsAgain = performance.now() + SETTLING_MILLIS
    this.#label(input, input.value)
    this.#pending = { ...this.#pending, [input.name]: input.value }
    this.#change()
  }

  /** Sends the newest values, one request after the other. */
  async #change() {
    if (this.#busy) {
      return
    }
    this.#busy = true
    while (this.#pending) {
      const body = JSON.stringify(this.#pending)
      this.#pending = null
      await this.#request({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    }
    this.#busy = false
  }

  async #request(options) {
    const response = await fetch(this.#url, options).catch(() => null)
    const body = response?.ok ? null : await response?.json().catch(() => null)
    this.#form.querySelector('.problem').textContent =
      response?.ok ? '' : (body?.message ?? 'The limit could not be changed.')
  }
}
