import { Gate } from './gate.js'

const gates = [
  new Gate('reject', 'A bucket that refuses: REJECT', true),
  new Gate('wait', 'A bucket with a queue: WAIT', true),
  new Gate('semaphore', 'A semaphore: five at a time', false)
]

const calls = document.getElementById('calls')
const resize = () => {
  calls.nextElementSibling.value = calls.value
  gates.forEach((gate) => gate.size(Number(calls.value)))
}
calls.addEventListener('input', resize)
resize()

const connection = document.getElementById('connection')
const stream = new EventSource('/live')
stream.onopen = () => {
  connection.textContent = ''
  gates.forEach((gate) => gate.reset())
}
stream.onerror = () => {
  connection.textContent = 'The application does not answer; trying again.'
}
stream.onmessage = ({ data }) => {
  const moment = JSON.parse(data)
  gates.forEach((gate) => gate.show(moment))
}
