import { Bursts } from './bursts.js'
import { Chart } from './chart.js'
import { Limit } from './limit.js'
import { Strip } from './strip.js'

/** One card of the page: an endpoint, what happens there, and the sliders of its limit. */
export class Gate {
  #name
  #section
  #bursts
  #chart
  #strip
  #limit

  constructor(name, title, limited) {
    this.#name = name
    const card = document.getElementById('gate').content.cloneNode(true)
    this.#section = card.querySelector('section')
    this.#section.id = name
    this.#section.setAttribute('aria-labelledby', `${name}-title`)
    this.#find('h2').id = `${name}-title`
    this.#find('h2').textContent = title
    this.#find('code').textContent = `GET /gates/${name}`
    this.#find('.chart').setAttribute('aria-label', `${title}: the numbers above over the last 30 seconds`)
    this.#find('.strip').setAttribute('aria-label', `${title}: when each call was sent, started and was answered`)
    document.querySelector('main').append(card)
    this.#bursts = new Bursts(this.#find('.result'))
    this.#chart = new Chart(this.#find('.chart'))
    this.#strip = new Strip(this.#find('.strip'))
    if (limited) {
      this.#limit = new Limit(name, this.#find('form'))
    } else {
      this.#find('form').remove()
      this.#find('.tokens dt').textContent = 'Free'
    }
  }

  size(calls) {
    this.#find('.send').textContent = `Send ${calls === 1 ? '1 call' : `${calls} calls`}`
    this.#find('.send').onclick = () => this.#bursts.send(this.#name, calls)
  }

  reset() {
    this.#bursts.clear()
    this.#chart.clear()
    this.#strip.clear()
  }

  show({ now, gates, calls }) {
    const state = gates[this.#name]
    for (const call of calls.filter(({ burst }) => burst.gate === this.#name)) {
      this.#strip.add(call)
      this.#bursts.add(call)
    }
    this.#limit?.follow(state.limit)
    this.#strip.draw(now)
    const sums = this.#chart.add(now / 1000, state)
    this.#number('tokens', `${state.tokens} of ${state.capacity}`)
    this.#number('accepted', sums.accepted)
    this.#number('refused', sums.refused)
    this.#number('waiting', state.waiting)
  }

  #number(name, value) {
    this.#find(`.${name} dd`).textContent = value
  }

  #find(selector) {
    return this.#section.querySelector(selector)
  }
}
