package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of a {@link RateLimiterRegistry}.
 */
@Timeout(60)
class RateLimiterRegistryTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource time = new ManualTimeSource();

	private final Callers callers = new Callers();

	private final RateLimiterRegistry registry = registry(Said.rate(10).byConfiguration("book-orders"));

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@ParameterizedTest
	@ValueSource(strings = { "book-orders", "bookOrders", "BOOK_ORDERS", "bookorders" })
	void findsALimitHoweverItsNameIsSpelt(String name) {
		assertThat(this.registry.get(name).name()).isEqualTo("book-orders");
		assertThat(this.registry.get(name)).isSameAs(this.registry.get("book-orders"));
	}

	@Test
	void findsNothingUnderAnotherName() {
		assertThat(this.registry.find("orders")).isNull();
	}

	@Test
	void namesTheLimitsThatThereAreWhenAskedForAnother() {
		this.registry.declare(Said.rate(1).byCode("alerts", "Alerts.send"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.get("orders"))
			.withMessage("There is no rate limit named 'orders', only [alerts, book-orders]");
	}

	@Test
	void namesTheLimitThatWasProbablyMeant() {
		this.registry.declare(Said.rate(1).byCode("alerts", "Alerts.send"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.get("Allert"))
			.withMessage("There is no rate limit named 'Allert', only [alerts, book-orders]; did you mean 'alerts'?");
	}

	@Test
	void listsItsLimitsInOrderOfTheirNames() {
		this.registry.declare(Said.rate(1).byCode("search", "Search.find"));
		this.registry.declare(Said.rate(1).byCode("alerts", "Alerts.send"));
		assertThat(this.registry.limiters()).extracting(RateLimiter::name)
			.containsExactly("alerts", "book-orders", "search");
	}

	@Test
	void handsOutABucketOfALimitThatIsDeclaredLater() {
		TokenBucket bucket = this.registry.bucket("alerts");
		assertThatIllegalArgumentException().isThrownBy(bucket::availableTokens).withMessageContaining("'alerts'");
		this.registry.declare(Said.rate(3).byCode("alerts", "Alerts.send"));
		assertThat(bucket.tryAcquire(3)).isTrue();
		assertThat(this.registry.get("alerts").bucket().availableTokens()).isZero();
	}

	@Test
	void looksTheLimitOfABucketUpOnce() {
		TokenBucket bucket = this.registry.bucket("book-orders");
		bucket.tryAcquire(10);
		assertThat(bucket.availableTokens()).isZero();
		assertThat(bucket.limit()).isSameAs(bucket.limit());
		assertThat(bucket).hasToString("book-orders: 10 per 1s, capacity 10");
	}

	@Test
	void fillsTheBucketsOfAllLimits() {
		this.registry.declare(Said.rate(3).byCode("alerts", "Alerts.send"));
		this.registry.get("alerts").bucket("alice").tryAcquire(3);
		this.registry.get("book-orders").bucket().tryAcquire(10);
		this.registry.refillAll();
		assertThat(this.registry.get("alerts").bucket("alice").availableTokens()).isEqualTo(3);
		assertThat(this.registry.get("book-orders").bucket().availableTokens()).isEqualTo(10);
	}

	@Test
	void changesALimitInUseWhenAnotherPlaceSaysMore() {
		this.registry.declare(Said.rate(3).byCode("alerts", "Alerts.send"));
		RateLimiter limiter = this.registry.get("alerts");
		this.registry.declare(Said.nothing().capacity(20).byCode("alerts", "Alerts.resend"));
		assertThat(this.registry.get("alerts")).isSameAs(limiter);
		assertThat(limiter.settings().limit()).isEqualTo(RateLimit.of(3, Duration.ofSeconds(1), 20));
		assertThat(limiter.bucket().limit()).isEqualTo(RateLimit.of(3, Duration.ofSeconds(1), 20));
	}

	@Test
	void leavesALimitInUseWhenTheSamePlaceSaysTheSameAgain() {
		DeclaredLimit declared = Said.rate(3).byCode("alerts", "Alerts.send");
		this.registry.declare(declared);
		this.registry.get("alerts").change(RateLimit.perSecond(50));
		this.registry.declare(declared);
		assertThat(this.registry.get("alerts").settings().limit()).isEqualTo(RateLimit.perSecond(50));
	}

	@Test
	void leavesTheTokensOfALimitInUseWhenAnotherPlaceSaysNothingNew() {
		this.registry.declare(Said.rate(3).byCode("alerts", "Alerts.send"));
		TokenBucket bucket = this.registry.get("alerts").bucket();
		Reservation reservation = bucket.reserve(3, Duration.ZERO);
		this.registry.declare(Said.nothing().byCode("alerts", "Alerts.resend"));
		reservation.cancel();
		assertThat(bucket.availableTokens()).isEqualTo(3);
	}

	@Test
	void tunesALimitThatCodeDeclares() {
		RateLimiterRegistry registry = new RateLimiterRegistry(this.time, SettingsBuilder.stores(this.time),
				RateLimitListener.NO_OP, Duration.ofSeconds(7), List.of(),
				Map.of("Alerts.send", Said.nothing().capacity(20).byConfiguration("Alerts.send"))::get);
		registry.declare(Said.rate(3).byCode("Alerts.send", "Alerts.send"));
		registry.declare(Said.rate(3).byCode("search", "Search.find"));
		assertThat(registry.get("Alerts.send").settings().limit().capacity()).isEqualTo(20);
		assertThat(registry.get("search").settings().limit().capacity()).isEqualTo(3);
	}

	@Test
	void waitsAsLongAsItsDefaultWhereNothingElseIsSaid() {
		RateLimiterRegistry registry = new RateLimiterRegistry(this.time, SettingsBuilder.stores(this.time),
				RateLimitListener.NO_OP, Duration.ofSeconds(7), List.of(Said.rate(1).byConfiguration("orders"),
						Said.rate(1).maxWait(Duration.ofSeconds(2)).byConfiguration("books")),
				(name) -> null);
		registry.declare(Said.rate(3).byCode("alerts", "Alerts.send"));
		assertThat(maxWait(registry, "orders")).isEqualTo(Duration.ofSeconds(7));
		assertThat(maxWait(registry, "alerts")).isEqualTo(Duration.ofSeconds(7));
		assertThat(maxWait(registry, "books")).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void findsAllFaultsOfWhatIsConfiguredAndNoOthers() {
		RateLimiterRegistry registry = registry(Said.rate(-1).byConfiguration("b"), Said.rate(1).byConfiguration("c"),
				Said.nothing().byConfiguration("a"));
		registry.declare(Said.nothing().byCode("d", "D.call"));
		assertThat(registry.checkConfigured()).extracting(Fault::problem)
			.satisfiesExactly((first) -> assertThat(first).contains("'a'", "no rate"),
					(second) -> assertThat(second).contains("'b'", "-1.0"));
	}

	@Test
	void findsAllFaultsOfWhatCodeDeclaresAndNoOthers() {
		RateLimiterRegistry registry = registry(Said.rate(-1).byConfiguration("b"));
		registry.declare(Said.nothing().byCode("d", "D.call"));
		registry.declare(Said.rate(1).byCode("e", "E.call"));
		assertThat(registry.checkDeclared()).singleElement()
			.satisfies((fault) -> assertThat(fault.problem()).contains("'d'", "D.call"));
	}

	@ParameterizedTest
	@CsvSource({ "book-ordres, true", "bookorder, true", "BOOK_ORDERZ, true", "books, false", "alert, false" })
	void asksWhetherALimitWithoutARateIsOneThatIsConfigured(String name, boolean near) {
		this.registry.declare(Said.rate(1).byCode("alerts", "Alerts.send"));
		this.registry.declare(Said.nothing().byCode(name, "Books.order"));
		assertThat(this.registry.checkDeclared()).singleElement()
			.satisfies((fault) -> assertThat(fault.remedy().startsWith("Did you mean the rate limit 'book-orders'?"))
				.isEqualTo(near))
			.satisfies((fault) -> assertThat(fault.remedy()).contains("Set ratelimit.buckets"));
	}

	@Test
	void remembersWhatCallsDoThatNoAnnotationDeclares() {
		RateLimiter limiter = this.registry.get("book-orders");
		assertThat(this.registry.modes(limiter)).isEmpty();
		this.registry.use(limiter, RateLimitMode.WAIT);
		assertThat(this.registry.modes(limiter)).containsExactly(RateLimitMode.WAIT);
		this.registry.reconfigure(Said.rate(5).byConfiguration("book-orders"));
		assertThat(this.registry.modes(limiter)).containsExactly(RateLimitMode.WAIT);
		this.registry.reconfigure(Said.rate(5).mode(RateLimitMode.REJECT).byConfiguration("book-orders"));
		assertThat(this.registry.modes(limiter)).containsExactly(RateLimitMode.REJECT);
	}

	@Test
	void endsEveryWaitWhenItIsClosed() throws Exception {
		RateLimiter limiter = this.registry.get("book-orders");
		limiter.bucket().tryAcquire(10);
		RateLimitAdmission admission = ask(limiter, 1);
		Callers.Caller<RateLimitRefusal> caller = this.callers.startAndPark(this.time, admission::await);
		this.registry.close();
		assertThatExceptionOfType(RateLimitWaitInterruptedException.class).isThrownBy(caller::result)
			.withMessage("The wait for rate limit 'book-orders' ended early: the application is shutting down");
		assertThat(limiter.waiters()).isZero();
	}

	@Test
	void letsNoneOfThoseWhoWaitMoveUpAndPassWhenItIsClosed() {
		RateLimiter limiter = this.registry.get("book-orders");
		limiter.bucket().tryAcquire(10);
		List<CompletableFuture<Optional<RateLimitRefusal>>> waiting = List.of(whenAdmitted(limiter, 5),
				whenAdmitted(limiter, 1), whenAdmitted(limiter, 2));
		this.time.advance(Duration.ofMillis(400));
		this.registry.close();
		assertThat(waiting).allSatisfy((admitted) -> assertThat(Callers.failureOf(admitted))
			.isInstanceOf(RateLimitWaitInterruptedException.class));
	}

	@Test
	void letsCallsPassAtOnceOrNotAtAllOnceItIsClosed() {
		RateLimiter known = this.registry.get("book-orders");
		this.registry.declare(Said.rate(10).byCode("alerts", "Alerts.send"));
		this.registry.close();
		for (RateLimiter limiter : List.of(known, this.registry.get("alerts"))) {
			assertThat(ask(limiter, 10).await()).isNull();
			assertThatExceptionOfType(RateLimitWaitInterruptedException.class)
				.isThrownBy(() -> ask(limiter, 1).await());
			assertThat(limiter.waiters()).isZero();
		}
	}

	private static RateLimitAdmission ask(RateLimiter limiter, long tokens) {
		return RateLimitAdmission.request(List.of(new RateLimitRequest(limiter, null, tokens, LONG.toNanos())), null);
	}

	private static CompletableFuture<Optional<RateLimitRefusal>> whenAdmitted(RateLimiter limiter, long tokens) {
		return ask(limiter, tokens).whenAdmitted().toCompletableFuture();
	}

	private static Duration maxWait(RateLimiterRegistry registry, String name) {
		return Duration.ofNanos(registry.get(name).settings().maxWaitNanos(RateLimitMode.WAIT, null));
	}

	private RateLimiterRegistry registry(ConfiguredLimit... configured) {
		return new RateLimiterRegistry(this.time, SettingsBuilder.stores(this.time), RateLimitListener.NO_OP, null,
				List.of(configured), (name) -> null);
	}

}
