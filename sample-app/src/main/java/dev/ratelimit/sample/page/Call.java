package dev.ratelimit.sample.page;

import java.net.http.HttpResponse;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * A call of a burst. Times are milliseconds since 1970.
 *
 * @param id number of the call
 * @param burst the burst it belongs to
 * @param sent when it was sent
 * @param started when it passed its gate; {@code null}: it has not, as far as is known
 * @param answered when it ended; {@code null}: not yet
 * @param status status of the answer; {@code null}: there is none
 */
record Call(long id, Burst burst, long sent, @Nullable Long started, @Nullable Long answered,
		@Nullable Integer status) {

	static Call sent(long id, Burst burst) {
		return new Call(id, burst, System.currentTimeMillis(), null, null, null);
	}

	/**
	 * Returns the call with its end.
	 * @param response the answer; {@code null}: none came
	 */
	Call ended(@Nullable HttpResponse<String> response) {
		Integer status = (response != null) ? response.statusCode() : null;
		Long started = (response != null && response.statusCode() == HttpStatus.OK.value())
				? Long.valueOf(response.body()) : null;
		return new Call(this.id, this.burst, this.sent, started, System.currentTimeMillis(), status);
	}

}
