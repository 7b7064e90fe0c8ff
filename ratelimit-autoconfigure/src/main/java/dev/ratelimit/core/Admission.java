package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * One limit's part in the admission of a call. It is reported at most once.
 */
final class Admission {

	private final RateLimitRequest request;

	private final @Nullable Reservation reservation;

	private final long start;

	private final Decision decision;

	private final AtomicBoolean waiting;

	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile Duration waited = Duration.ZERO;

	private volatile boolean released;

	private Admission(RateLimitRequest request, @Nullable Reservation reservation, @Nullable Decision decision) {
		this.request = request;
		this.reservation = reservation;
		this.start = limiter().timeSource().nanos();
		this.decision = (decision != null) ? decision : decide();
		this.waiting = new AtomicBoolean(this.decision == Decision.WAITING);
	}

	/**
	 * Creates an admission by a limit that does not count the key of the call.
	 */
	static Admission exempt(RateLimitRequest request) {
		return new Admission(request, null, Decision.EXEMPT);
	}

	/**
	 * Creates an admission by a limit that was asked.
	 * @param reservation the answer of the bucket; {@code null}: none, for it can never
	 * hold so many tokens
	 */
	static Admission answered(RateLimitRequest request, @Nullable Reservation reservation) {
		return new Admission(request, reservation, null);
	}

	private Decision decide() {
		if (this.reservation == null || !this.reservation.granted()) {
			return limiter().settings().shadow() ? Decision.SHADOWED : Decision.REFUSED;
		}
		if (this.reservation.waitTime().isZero()) {
			return Decision.ALLOWED;
		}
		return limiter().enter(this) ? Decision.WAITING : Decision.REFUSED;
	}

	RateLimitRequest request() {
		return this.request;
	}

	boolean isRefused() {
		return this.decision == Decision.REFUSED;
	}

	/**
	 * Returns how long until the call would have passed this limit.
	 */
	Duration timeToPass() {
		return (this.reservation != null) ? this.reservation.waitTime() : Waits.UNBOUNDED;
	}

	/**
	 * Returns the instant at which the wait ends.
	 */
	long dueAt() {
		return this.start + timeToPass().toNanos();
	}

	/**
	 * Returns whether the wait was ended from outside, by the shutdown of the
	 * application.
	 */
	boolean isReleased() {
		return this.released;
	}

	boolean await() throws InterruptedException {
		boolean usable = takesNothing() || (this.reservation != null && this.reservation.await());
		leave();
		return usable;
	}

	CompletionStage<Boolean> whenUsable() {
		return (takesNothing() || this.reservation == null) ? CompletableFuture.completedStage(takesNothing())
				: this.reservation.whenUsable().whenComplete((usable, failure) -> leave());
	}

	/**
	 * Ends with the call admitted.
	 */
	void admit(@Nullable CallContext context) {
		if (!end()) {
			return;
		}
		DecisionReport report = limiter().report();
		String key = this.request.key();
		long tokens = this.request.tokens();
		switch (this.decision) {
			case EXEMPT -> report.exempt(key, tokens);
			case SHADOWED -> report.shadowed(key, tokens);
			case WAITING -> report.waited(key, tokens, this.waited);
			default -> report.allowed(key, tokens);
		}
		if (!takesNothing()) {
			limiter().tellAccepted(key, this.reservation, context);
		}
	}

	/**
	 * Ends with the call refused by this limit.
	 */
	RateLimitRefusal refuse(@Nullable CallContext context) {
		if (end()) {
			cancelReservation();
			limiter().report().rejected(this.request.key(), this.request.tokens());
		}
		RateLimit limit = limiter().settings().limit(this.request.key());
		Duration retryAfter = (this.reservation != null) ? this.reservation.waitTime() : null;
		long available = (this.reservation != null) ? this.reservation.availableTokens()
				: limiter().available(this.request.key(), null);
		if (context != null) {
			context.decided(new RateLimitDecision(limiter().name(), limit, available, false, retryAfter));
		}
		return new RateLimitRefusal(this.request,
				new RateLimitExceededException(limiter().name(), limit, this.request.tokens(), available, retryAfter));
	}

	/**
	 * Ends with the tokens given back and nothing reported: another limit has refused or
	 * failed, which is.
	 */
	void rollBack() {
		if (end()) {
			cancelReservation();
		}
	}

	/**
	 * Ends with the tokens given back, for the caller has gone.
	 */
	void cancel() {
		if (end()) {
			cancelReservation();
			limiter().report().cancelled(this.request.key(), this.request.tokens());
		}
	}

	/**
	 * Ends the wait, because the application shuts down.
	 */
	void release() {
		this.released = true;
		cancelReservation();
	}

	private boolean takesNothing() {
		return this.decision == Decision.EXEMPT || this.decision == Decision.SHADOWED;
	}

	private void cancelReservation() {
		if (this.reservation != null) {
			this.reservation.cancelAsync();
		}
	}

	private boolean end() {
		leave();
		return this.ended.compareAndSet(false, true);
	}

	private void leave() {
		if (this.waiting.compareAndSet(true, false)) {
			this.waited = Duration.ofNanos(limiter().timeSource().nanos() - this.start);
			limiter().leave(this);
		}
	}

	private RateLimiter limiter() {
		return this.request.limiter();
	}

	private enum Decision {

		ALLOWED, WAITING, REFUSED, SHADOWED, EXEMPT

	}

}
