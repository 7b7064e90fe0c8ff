package dev.ratelimit.core;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * One named limit: its settings, its buckets (an unkeyed one, and one for each key), and
 * the calls that wait for them.
 */
public final class RateLimiter {

	private final TokenBucketStore.Buckets buckets;

	private final boolean remote;

	private final TimeSource timeSource;

	private final RateLimitListener listener;

	private final AtomicInteger waiters = new AtomicInteger();

	private final Set<Admission> waiting = ConcurrentHashMap.newKeySet();

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
		this.remote = store.isRemote();
		this.buckets = store.open(settings, (failure) -> listener.storeFailed(this, store.name(), failure));
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
	 * Returns the number of keyed buckets that have been dropped to make room though they
	 * were not full, which refilled them. Where it grows,
	 * {@code ratelimit.buckets.<name>.max-keys} is too small.
	 * @return zero or more
	 */
	public long dropped() {
		return this.buckets.dropped();
	}

	/**
	 * Puts another limit in force, at once and for all keys but those that have limits of
	 * their own. Tokens are kept, up to the new capacity; the waits under way become
	 * shorter or longer.
	 * @param limit the limit
	 * @throws InvalidRateLimitException if the store cannot keep buckets of it
	 */
	public synchronized void change(RateLimit limit) {
		this.buckets.change(limit);
		this.settings = this.settings.withLimit(limit);
	}

	/**
	 * Fills all buckets, for those who wait first.
	 */
	public void refill() {
		this.buckets.refillAll();
	}

	/**
	 * Takes the tokens of a call if it may pass at once. A call that may not is not
	 * reported: it goes on to {@link RateLimitAdmission}.
	 * @param request what the call asks of this limit
	 * @param context the request that the call belongs to, which is told of an
	 * acceptance; {@code null}: none
	 * @return whether the call may pass; {@code false} if that cannot be told without a
	 * round trip
	 */
	public boolean admitAtOnce(RateLimitRequest request, @Nullable CallContext context) {
		if (this.remote) {
			return false; // an admission asks once for all that there is to know
		}
		String key = request.key();
		long tokens = request.tokens();
		if (isExempt(key, tokens)) {
			return true;
		}
		if (!canPass(request) || !tryTake(request)) {
			return false;
		}
		this.listener.allowed(this, key, tokens);
		tellAccepted(key, null, context);
		return true;
	}

	@Override
	public String toString() {
		return "%s: %s".formatted(name(), this.settings.limit());
	}

	boolean tryAcquire(@Nullable String key, long tokens) {
		if (isExempt(key, tokens)) {
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

	boolean acquire(RateLimitRequest request) throws InterruptedException {
		if (request.tokens() > this.settings.limit(request.key()).capacity()) {
			return tryAcquire(request.key(), request.tokens());
		}
		return RateLimitAdmission.request(List.of(request), null).awaitInterruptibly() == null;
	}

	Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		if (isExempt(key, tokens)) {
			return new GrantedReservation(this.settings.limit(key).capacity());
		}
		Reservation reservation = this.buckets.reserve(key, tokens, crowded() ? 0 : maxWaitNanos);
		if (!reservation.granted()) {
			this.listener.rejected(this, key, tokens);
		}
		else if (reservation.waitTime().isZero()) {
			this.listener.allowed(this, key, tokens);
		}
		else {
			this.listener.waited(this, key, tokens, reservation.waitTime());
		}
		return reservation;
	}

	long availableTokens(@Nullable String key) {
		return this.buckets.availableTokens(key);
	}

	/**
	 * Returns whether a call passes without being asked for tokens, and reports it if its
	 * key is the reason.
	 */
	boolean isExempt(@Nullable String key, long tokens) {
		RateLimiterSettings settings = this.settings;
		if (settings.enabled() && settings.isUnlimited(key)) {
			this.listener.exempt(this, key, tokens);
			return true;
		}
		return !settings.enabled();
	}

	private boolean canPass(RateLimitRequest request) {
		return request.tokens() <= this.settings.limit(request.key()).capacity();
	}

	private boolean tryTake(RateLimitRequest request) {
		try {
			return this.buckets.tryAcquire(request.key(), request.tokens());
		}
		catch (IllegalArgumentException ex) {
			return false; // the capacity has just been lowered
		}
	}

	Admission ask(RateLimitRequest request) {
		if (!canPass(request)) {
			return new Admission(request, null);
		}
		try {
			return new Admission(request, this.buckets.reserve(request.key(), request.tokens(), maxWaitNanos(request)));
		}
		catch (IllegalArgumentException ex) {
			return new Admission(request, null); // the capacity has just been lowered
		}
	}

	CompletionStage<Admission> askAsync(RateLimitRequest request) {
		if (!canPass(request)) {
			return CompletableFuture.completedStage(new Admission(request, null));
		}
		try {
			return this.buckets.reserveAsync(request.key(), request.tokens(), maxWaitNanos(request))
				.thenApply((reservation) -> new Admission(request, reservation));
		}
		catch (IllegalArgumentException ex) {
			return CompletableFuture.completedStage(new Admission(request, null)); // as
																					// above
		}
	}

	private long maxWaitNanos(RateLimitRequest request) {
		return crowded() ? 0 : request.maxWaitNanos();
	}

	/**
	 * Lets a call wait, if there is a place.
	 * @return whether there is
	 */
	boolean enter(Admission admission) {
		Integer maxWaiters = this.settings.maxWaiters();
		if (this.waiters.incrementAndGet() > ((maxWaiters != null) ? maxWaiters : Integer.MAX_VALUE)) {
			this.waiters.decrementAndGet();
			return false;
		}
		this.waiting.add(admission);
		if (this.closed) {
			admission.release();
		}
		return true;
	}

	void leave(Admission admission) {
		this.waiting.remove(admission);
		this.waiters.decrementAndGet();
	}

	void tellAccepted(@Nullable String key, @Nullable Reservation reservation, @Nullable CallContext context) {
		if (context != null) {
			long available = available(key, reservation);
			context.decided(new RateLimitDecision(name(), this.settings.limit(key), available, true, null));
		}
	}

	/**
	 * Returns what a bucket holds, without a round trip: as the answer to a call said, if
	 * need be.
	 */
	long available(@Nullable String key, @Nullable Reservation reservation) {
		if (!this.remote) {
			return this.buckets.availableTokens(key);
		}
		return (reservation != null) ? reservation.availableTokens() : 0;
	}

	RateLimitListener listener() {
		return this.listener;
	}

	TimeSource timeSource() {
		return this.timeSource;
	}

	/**
	 * Releases all calls that wait, the last first so that none moves up, and lets none
	 * wait any more.
	 */
	void close() {
		this.closed = true;
		this.waiting.stream().sorted(Comparator.comparingLong(Admission::dueAt).reversed()).forEach(Admission::release);
	}

	private boolean crowded() {
		Integer maxWaiters = this.settings.maxWaiters();
		return maxWaiters != null && this.waiters.get() >= maxWaiters;
	}

}
