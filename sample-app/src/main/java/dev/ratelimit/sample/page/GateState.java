package dev.ratelimit.sample.page;

/**
 * A gate at one moment.
 *
 * @param tokens tokens in its bucket, or free places of the semaphore
 * @param capacity most of them that there can be
 * @param accepted calls that have passed since startup
 * @param refused calls that have been refused since startup
 * @param waiting calls that wait now
 */
record GateState(long tokens, long capacity, long accepted, long refused, int waiting) {

}
