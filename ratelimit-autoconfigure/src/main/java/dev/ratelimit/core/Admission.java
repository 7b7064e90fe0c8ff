package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * One limit's part in the admission of a call. It is reported to the listener once.
 */
final class Admission {

	private final RateLimitRequest request;

	private final @Nullable Reservation reservation;

	private final boolean waits;

	private final boolean placed;

	private final long start;

	private final AtomicBoolean waiting;

	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile Duration waited = Duration.ZERO;

	private volatile boolean released;

	/**
	 * Creates an admission.
	 * @param reservation the answer of the bucket; {@code null}: it was not asked, for it
	 * can never hold so many tokens
	 */
	Admission(RateLimitRequest request, @Nullable Reservation reservation) {
		this.request = request;
		this.reservation = reservation;
		this.start = limiter().timeSource().nanos();
		this.waits = reservation != null && reservation.granted() && !reservation.waitTime().isZero();
		this.waiting = new AtomicBoolean(this.waits);
		this.placed = !this.waits || limiter().enter(this);
		if (!this.placed) {
			this.waiting.set(false);
		}
	}

	RateLimitRequest request() {
		return this.request;
	}

	boolean isRefused() {
		return this.reservation == null || !this.reservation.granted() || !this.placed;
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
		boolean usable = this.reservation != null && this.reservation.await();
		leave();
		return usable;
	}

	CompletionStage<Boolean> whenUsable() {
		return (this.reservation != null) ? this.reservation.whenUsable().whenComplete((usable, failure) -> leave())
				: CompletableFuture.completedStage(false);
	}

	/**
	 * Ends with the call admitted.
	 */
	void admit(@Nullable CallContext context) {
		if (!end()) {
			return;
		}
		RateLimitListener listener = limiter().listener();
		if (this.waits) {
			listener.waited(limiter(), this.request.key(), this.request.tokens(), this.waited);
		}
		else {
			listener.allowed(limiter(), this.request.key(), this.request.tokens());
		}
		limiter().tellAccepted(this.request.key(), this.reservation, context);
	}

	/**
	 * Ends with the call refused by this limit.
	 */
	RateLimitRefusal refuse(@Nullable CallContext context) {
		if (end()) {
			cancelReservation();
			limiter().listener().rejected(limiter(), this.request.key(), this.request.tokens());
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
	 * Ends with the tokens given back. A wait that ends so is reported, a grant is not.
	 */
	void rollBack() {
		if (end()) {
			cancelReservation();
			if (this.waits) {
				limiter().listener().cancelled(limiter(), this.request.key(), this.request.tokens());
			}
		}
	}

	/**
	 * Ends the wait, because the application shuts down.
	 */
	void release() {
		this.released = true;
		cancelReservation();
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

}
