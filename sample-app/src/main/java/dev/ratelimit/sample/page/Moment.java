package dev.ratelimit.sample.page;

import java.util.List;
import java.util.Map;

/**
 * What there is to see at one moment.
 *
 * @param now milliseconds since 1970
 * @param gates the gates by their names
 * @param calls calls that have been sent or answered since the moment before
 */
record Moment(long now, Map<String, GateState> gates, List<Call> calls) {

}
