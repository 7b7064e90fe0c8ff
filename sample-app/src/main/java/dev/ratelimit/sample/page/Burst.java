package dev.ratelimit.sample.page;

/**
 * Calls that are sent to one gate at one moment.
 *
 * @param id number of the burst
 * @param gate name of the gate
 * @param calls how many there are
 */
record Burst(long id, String gate, int calls) {

}
