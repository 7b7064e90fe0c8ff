package dev.ratelimit.core;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * One named limit: its settings, its buckets (an unkeyed one, and one for each key), and
 * the calls that wait for them.
 */
public final class RateLimiter {

	private final TokenBucketStore.Buckets buckets;

	private final TimeSource timeSource;

	private final RateLimitListener listener;

	private final AtomicInteger waiters = new AtomicInteger();

	private final Set<Reservation> waiting = ConcurrentHashMap.newKeySet();

	private volatile RateLimiterSettings settings;

	private volatile boolean closed;

	/**
	 * Creates a limiter.
	 * @param settings its settings
	 * @param store where its buckets are kept
	 * @param timeSource the clock by which its calls wait
	 * @param listener who is told what it decides
	 */
	public RateLimiter(RateLimiterSettings settings, TokenBucketStore store, TimeSource timeSource,
			RateLimitListener listener) {
		this.settings = settings;
		this.buckets = store.open(settings);
		this.timeSource = timeSource;
		this.listener = listener;
	}

	/**
	 * Returns the name of the limit.
	 * @return the name
	 */
	public String name() {
		return this.settings.name();
	}

	/**
	 * Returns the settings in force.
	 * @return the settings
	 */
	public RateLimiterSettings settings() {
		return this.settings;
	}

	/**
	 * Returns the unkeyed bucket.
	 * @return a view of the bucket, through which calls count as calls of this limit
	 */
	public TokenBucket bucket() {
		return new LimiterTokenBucket(() -> this, null);
	}

	/**
	 * Returns the bucket of a key, which is the one that calls annotated with that key
	 * use.
	 * @param key the key; {@code null} or empty: the unkeyed bucket
	 * @return a view of the bucket, through which calls count as calls of this limit
	 */
	public TokenBucket bucket(@Nullable String key) {
		return new LimiterTokenBucket(() -> this, (key == null || key.isEmpty()) ? null : key);
	}

	/**
	 * Returns the number of calls that wait now.
	 * @return zero or more
	 */
	public int waiters() {
		return this.waiters.get();
	}

	/**
	 * Returns the number of keyed buckets held in memory.
	 * @return zero or more
	 */
	public long keys() {
		return this.buckets.keys();
	}

	/**
	 * Puts another limit in force, at once and for all keys. Tokens are kept, up to the
	 * new capacity; the waits under way become shorter or longer.
	 * @param limit the limit
	 */
	public synchronized void change(RateLimit limit) {
		RateLimiterSettings before = this.settings;
		this.settings = new RateLimiterSettings(before.name(), limit, before.enabled(), before.mode(), before.maxWait(),
				before.defaultMaxWait(), before.maxWaiters(), before.maxKeys(), before.initialTokens());
		this.buckets.change(limit);
	}

	/**
	 * Fills all buckets, for those who wait first.
	 */
	public void refill() {
		this.buckets.refillAll();
	}

	/**
	 * Takes tokens for a limited call: at once, or by parking the calling thread until
	 * they are there.
	 * @param key whose bucket; {@code null}: the unkeyed one
	 * @param tokens how many
	 * @param maxWaitNanos the longest wait in nanoseconds; zero: none;
	 * {@link Long#MAX_VALUE}: any
	 * @param context the request that the call belongs to, which is told what was
	 * decided; {@code null}: none
	 * @throws RateLimitExceededException if the call is refused
	 * @throws RateLimitWaitInterruptedException if its wait is interrupted
	 * @throws IllegalArgumentException if the number of tokens is not positive
	 */
	public void acquire(@Nullable String key, long tokens, long maxWaitNanos, @Nullable CallContext context) {
		RateLimiterSettings settings = this.settings;
		if (!settings.enabled()) {
			return;
		}
		if (tokens > settings.limit().capacity()) {
			this.listener.rejected(this, key, tokens);
			throw refusal(key, tokens, null, context);
		}
		if (this.buckets.tryAcquire(key, tokens)) {
			this.listener.allowed(this, key, tokens);
		}
		else {
			Reservation reservation = answer(key, tokens, maxWaitNanos);
			if (!reservation.granted() || !awaitUninterrupted(reservation, key, tokens)) {
				throw refusal(key, tokens, reservation, context);
			}
		}
		if (context != null) {
			long available = this.buckets.availableTokens(key);
			context.decided(new RateLimitDecision(settings.name(), settings.limit(), available, true, null));
		}
	}

	boolean tryAcquire(@Nullable String key, long tokens) {
		if (!this.settings.enabled()) {
			return true;
		}
		boolean acquired = this.buckets.tryAcquire(key, tokens);
		if (acquired) {
			this.listener.allowed(this, key, tokens);
		}
		else {
			this.listener.rejected(this, key, tokens);
		}
		return acquired;
	}

	boolean tryAcquire(@Nullable String key, long tokens, long maxWaitNanos) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		if (!this.settings.enabled()) {
			return true;
		}
		Reservation reservation = answer(key, tokens, maxWaitNanos);
		return reservation.granted() && await(reservation, key, tokens);
	}

	Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		if (!this.settings.enabled()) {
			return new GrantedReservation(this.settings.limit().capacity());
		}
		Reservation reservation = answer(key, tokens, maxWaitNanos);
		if (reservation.granted() && !reservation.waitTime().isZero()) {
			this.listener.waited(this, key, tokens, reservation.waitTime());
		}
		return reservation;
	}

	long availableTokens(@Nullable String key) {
		return this.buckets.availableTokens(key);
	}

	void refill(@Nullable String key) {
		this.buckets.refill(key);
	}

	/**
	 * Releases all calls that wait, and lets none wait any more.
	 */
	void close() {
		this.closed = true;
		this.waiting.forEach(Reservation::cancel);
	}

	/**
	 * Asks the buckets, and reports all answers but that of a call that is to wait.
	 */
	private Reservation answer(@Nullable String key, long tokens, long maxWaitNanos) {
		Integer maxWaiters = this.settings.maxWaiters();
		boolean crowded = maxWaiters != null && this.waiters.get() >= maxWaiters;
		Reservation reservation = this.buckets.reserve(key, tokens, crowded ? 0 : maxWaitNanos);
		if (!reservation.granted()) {
			this.listener.rejected(this, key, tokens);
		}
		else if (reservation.waitTime().isZero()) {
			this.listener.allowed(this, key, tokens);
		}
		return reservation;
	}

	private boolean awaitUninterrupted(Reservation reservation, @Nullable String key, long tokens) {
		try {
			return await(reservation, key, tokens);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitWaitInterruptedException(name(), "the thread was interrupted");
		}
	}

	private boolean await(Reservation reservation, @Nullable String key, long tokens) throws InterruptedException {
		if (reservation.waitTime().isZero()) {
			return true;
		}
		boolean placed = enter();
		if (!placed) {
			reservation.cancel();
			this.listener.rejected(this, key, tokens);
			return false;
		}
		try {
			return awaitPlaced(reservation, key, tokens);
		}
		finally {
			this.waiters.decrementAndGet();
		}
	}

	private boolean enter() {
		Integer maxWaiters = this.settings.maxWaiters();
		if (this.waiters.incrementAndGet() <= ((maxWaiters != null) ? maxWaiters : Integer.MAX_VALUE)) {
			return true;
		}
		this.waiters.decrementAndGet();
		return false;
	}

	private boolean awaitPlaced(Reservation reservation, @Nullable String key, long tokens)
			throws InterruptedException {
		long start = this.timeSource.nanos();
		this.waiting.add(reservation);
		try {
			if (this.closed) {
				reservation.cancel();
			}
			boolean granted = reservation.await();
			if (granted) {
				this.listener.waited(this, key, tokens, Duration.ofNanos(this.timeSource.nanos() - start));
			}
			else {
				this.listener.rejected(this, key, tokens);
			}
			return granted;
		}
		catch (InterruptedException ex) {
			this.listener.cancelled(this, key, tokens);
			throw ex;
		}
		catch (CancellationException ex) {
			this.listener.cancelled(this, key, tokens);
			throw new RateLimitWaitInterruptedException(name(), "the application is shutting down");
		}
		finally {
			this.waiting.remove(reservation);
		}
	}

	private RateLimitExceededException refusal(@Nullable String key, long tokens, @Nullable Reservation reservation,
			@Nullable CallContext context) {
		RateLimit limit = this.settings.limit();
		Duration retryAfter = (reservation != null) ? reservation.waitTime() : null;
		long available = (reservation != null) ? reservation.availableTokens() : this.buckets.availableTokens(key);
		if (context != null) {
			context.decided(new RateLimitDecision(name(), limit, available, false, retryAfter));
		}
		return new RateLimitExceededException(name(), limit, tokens, available, retryAfter);
	}

}
