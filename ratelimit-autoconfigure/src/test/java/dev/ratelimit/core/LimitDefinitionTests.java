package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of how a {@link LimitDefinition} puts together what configuration and code say,
 * and of what it says where that cannot work.
 */
class LimitDefinitionTests {

	private final TokenBucketStores stores = SettingsBuilder.stores(new ManualTimeSource());

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void takesEachComponentThatIsConfigured() {
		LimitDefinition definition = LimitDefinition
			.created(Said.rate(2).per(MINUTE).capacity(7).byConfiguration("orders"));
		definition.add(Said.rate(3).per(SECOND).capacity(8).byCode("orders", "Orders.place"));
		assertThat(definition.settings(null, this.stores).limit()).isEqualTo(RateLimit.of(2, MINUTE, 7));
	}

	@Test
	void takesFromCodeWhatIsNotConfigured() {
		LimitDefinition definition = LimitDefinition.tuned(Said.nothing().byConfiguration("orders"));
		definition.add(Said.nothing().per(MINUTE).byCode("orders", "Orders.place"));
		definition.add(Said.rate(3).byCode("orders", "Orders.change"));
		definition.add(Said.nothing().capacity(8).byCode("orders", "Orders.cancel"));
		assertThat(definition.settings(null, this.stores).limit()).isEqualTo(RateLimit.of(3, MINUTE, 8));
	}

	@Test
	void countsASecondAndHoldsItsRateRoundedUpUnlessToldOtherwise() {
		assertThat(declared(Said.rate(2.5)).settings(null, this.stores).limit())
			.isEqualTo(RateLimit.of(2.5, SECOND, 3));
	}

	@Test
	void leavesAllElseAtItsDefaultWhereOnlyCodeSpeaks() {
		assertThat(declared(Said.rate(2)).settings(null, this.stores))
			.isEqualTo(RateLimiterSettings.of("orders", RateLimit.perSecond(2)));
	}

	@Test
	void takesAllElseFromTheConfiguration() {
		RateLimiterSettings settings = configured(Said.rate(2)
			.disabled()
			.initialTokens(1)
			.mode(RateLimitMode.WAIT)
			.maxWait(MINUTE)
			.maxWaiters(4)
			.maxKeys(5)
			.unlimited("batch")
			.key("vip", 20.0, null, null));
		assertThat(settings).isEqualTo(SettingsBuilder.settings("orders", RateLimit.perSecond(2))
			.disabled()
			.initialTokens(1)
			.mode(RateLimitMode.WAIT)
			.maxWait(MINUTE)
			.maxWaiters(4)
			.maxKeys(5)
			.unlimited("batch")
			.keyLimit("vip", RateLimit.perSecond(20))
			.build());
	}

	@Test
	void isNamedAsItIsConfiguredOrElseAsCodeFirstNamesIt() {
		LimitDefinition created = LimitDefinition.created(Said.rate(1).byConfiguration("book-orders"));
		created.add(Said.nothing().byCode("bookOrders", "Books.order"));
		assertThat(created.name()).isEqualTo("book-orders");
		LimitDefinition tuned = LimitDefinition.tuned(Said.rate(1).byConfiguration("book-orders"));
		tuned.add(Said.nothing().byCode("bookOrders", "Books.order"));
		tuned.add(Said.nothing().byCode("BOOK_ORDERS", "Books.reorder"));
		assertThat(tuned.settings(null, this.stores).name()).isEqualTo("bookOrders");
	}

	static Stream<Arguments> keys() {
		RateLimit five = RateLimit.of(5, MINUTE, 9);
		return Stream.of(arguments(20.0, null, null, RateLimit.of(20, MINUTE, 20)),
				arguments(20.0, SECOND, null, RateLimit.of(20, SECOND, 20)),
				arguments(null, null, 30L, RateLimit.of(five.rate(), MINUTE, 30)),
				arguments(null, SECOND, 30L, RateLimit.of(five.rate(), SECOND, 30)),
				arguments(20.0, SECOND, 30L, RateLimit.of(20, SECOND, 30)));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void givesAKeyWhatIsSaidAboutItAndElseWhatTheOthersHave(Double rate, Duration per, Long capacity,
			RateLimit expected) {
		RateLimiterSettings settings = configured(Said.rate(5).per(MINUTE).capacity(9).key("vip", rate, per, capacity));
		assertThat(settings.limit("vip")).isEqualTo(expected);
		assertThat(settings.limit("alice")).isEqualTo(RateLimit.of(5, MINUTE, 9));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 5 })
	void acceptsInitialTokensUpToTheEdges(long tokens) {
		assertThat(configured(Said.rate(5).initialTokens(tokens)).initialTokens()).isEqualTo(tokens);
	}

	@Test
	void acceptsTheLeastOfAllElse() {
		assertThatNoException()
			.isThrownBy(() -> configured(Said.rate(5).maxWait(Duration.ZERO).maxWaiters(0).maxKeys(1)));
	}

	static Stream<Arguments> valuesOutOfRange() {
		return Stream.of(
				arguments(Said.rate(5).initialTokens(-1),
						"limits.orders.initial-tokens must be from 0 to the capacity, which is 5, but was -1"),
				arguments(Said.rate(5).initialTokens(6),
						"limits.orders.initial-tokens must be from 0 to the capacity, which is 5, but was 6"),
				arguments(Said.rate(5).maxWait(Duration.ofNanos(-1)),
						"limits.orders.max-wait must be zero or more, but was PT-0.000000001S"),
				arguments(Said.rate(5).maxWaiters(-1), "limits.orders.max-waiters must be zero or more, but was -1"),
				arguments(Said.rate(5).maxKeys(0), "limits.orders.max-keys must be one or more, but was 0"),
				arguments(Said.rate(-1),
						"The rate limit 'orders' is out of range: limits.orders.rate must be a finite number greater"
								+ " than zero, but was -1.0"),
				arguments(Said.rate(1).per(Duration.ZERO),
						"The rate limit 'orders' is out of range: limits.orders.per must be longer than zero and at"
								+ " most 36500 days, but was PT0S"),
				arguments(Said.rate(1).capacity(0),
						"The rate limit 'orders' is out of range: limits.orders.capacity must be from 1 to"
								+ " 9007199254740992 (2 to the power of 53), but was 0"),
				arguments(Said.rate(1).key("vip", -2.0, null, null),
						"limits.orders.keys[vip].rate must be a finite number greater than zero, but was -2.0"),
				arguments(Said.rate(1).key("vip", null, SECOND, null),
						"limits.orders.keys[vip] says neither rate, capacity nor unlimited"),
				arguments(Said.nothing(), "The rate limit 'orders' of limits.orders has no rate"));
	}

	@ParameterizedTest
	@MethodSource("valuesOutOfRange")
	void namesThePropertyTheValueAndWhatItMustBe(Said said, String problem) {
		fault(() -> configured(said), (fault) -> assertThat(fault.problem()).isEqualTo(problem));
	}

	@Test
	void saysHowToMendAValue() {
		fault(() -> configured(Said.rate(5).maxKeys(0)), (fault) -> assertThat(fault.remedy())
			.isEqualTo("Correct the value, or remove the property for the default."));
		fault(() -> configured(Said.rate(1).capacity(0)), (fault) -> assertThat(fault.remedy())
			.startsWith("Choose a capacity that is from 1 to 9007199254740992"));
	}

	@Test
	void namesThePlacesInTheCodeWhereAValueIsOutOfRange() {
		LimitDefinition definition = declared(Said.rate(-1));
		definition.add(Said.nothing().byCode("orders", "Orders.change"));
		fault(() -> definition.settings(null, this.stores), (fault) -> assertThat(fault.problem())
			.contains("rate of Orders.place and Orders.change must be", "but was -1.0"));
	}

	@Test
	void namesThePlaceInTheCodeWhereOnlyOtherComponentsAreConfigured() {
		LimitDefinition definition = LimitDefinition.tuned(Said.nothing().capacity(3).byConfiguration("orders"));
		definition.add(Said.rate(-1).byCode("orders", "Orders.place"));
		fault(() -> definition.settings(null, this.stores),
				(fault) -> assertThat(fault.problem()).contains("rate of Orders.place must be"));
	}

	@Test
	void saysWhereToWriteARateThatIsMissing() {
		fault(() -> declared(Said.nothing()).settings(null, this.stores), (fault) -> {
			assertThat(fault.problem()).isEqualTo("The rate limit 'orders' of Orders.place has no rate");
			assertThat(fault.remedy()).isEqualTo("Set ratelimit.buckets.orders.rate, or write a rate at the annotation:"
					+ " @RateLimited(name = \"orders\", rate = 10).");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Orders.place", "book orders", "b_o" })
	void saysWhereToWriteARateOfANameThatNeedsBrackets(String name) {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(Said.nothing().byCode(name, "Orders.place"));
		fault(() -> definition.settings(null, this.stores),
				(fault) -> assertThat(fault.remedy()).startsWith("Set ratelimit.buckets[" + name + "].rate"));
	}

	@Test
	void saysWhereToWriteARateOfANameWithDashesAndDigits() {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(Said.nothing().byCode("book-orders-2", "Orders.place"));
		fault(() -> definition.settings(null, this.stores),
				(fault) -> assertThat(fault.remedy()).startsWith("Set ratelimit.buckets.book-orders-2.rate"));
	}

	static Stream<Arguments> contradictions() {
		return Stream.of(arguments(Said.rate(1), Said.rate(2), "rate = 1.0 at Orders.place, but rate = 2.0 at"),
				arguments(Said.nothing().per(SECOND), Said.nothing().per(MINUTE),
						"per = PT1S at Orders.place, but per = PT1M at"),
				arguments(Said.nothing().capacity(1), Said.nothing().capacity(2),
						"capacity = 1 at Orders.place, but capacity = 2 at"));
	}

	@ParameterizedTest
	@MethodSource("contradictions")
	void rejectsContradictionsInTheCode(Said one, Said other, String problem) {
		LimitDefinition definition = declared(one);
		fault(() -> definition.add(other.byCode("orders", "Orders.change")), (fault) -> assertThat(fault.problem())
			.isEqualTo("The rate limit 'orders' is defined twice differently: " + problem + " Orders.change"));
	}

	@Test
	void acceptsWhatOnlyOnePlaceSaysOrAllSayAlike() {
		LimitDefinition definition = declared(Said.rate(1).per(SECOND));
		assertThat(definition.add(Said.rate(1).capacity(4).byCode("orders", "Orders.change"))).isTrue();
		assertThat(definition.add(Said.nothing().byCode("orders", "Orders.cancel"))).isTrue();
		assertThat(definition.settings(null, this.stores).limit()).isEqualTo(RateLimit.of(1, SECOND, 4));
	}

	@Test
	void knowsWhatIsNew() {
		LimitDefinition definition = declared(Said.rate(1));
		assertThat(definition.add(Said.rate(1).byCode("orders", "Orders.place"))).isFalse();
		assertThat(definition.add(Said.rate(1).byCode("orders", "Orders.change"))).isTrue();
	}

	@Test
	void rejectsTwoPlacesThatShareALimitByAccident() {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(Said.rate(1).byCodeWithoutAName("Orders.place", "a.Orders.place"));
		fault(() -> definition.add(Said.rate(1).byCodeWithoutAName("Orders.place", "b.Orders.place")),
				(fault) -> assertThat(fault.problem()).isEqualTo("a.Orders.place and b.Orders.place would share the"
						+ " rate limit 'Orders.place', which neither names"));
	}

	@Test
	void acceptsTwoPlacesOfWhichOneNamesTheLimit() {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(Said.rate(1).byCodeWithoutAName("Orders.place", "a.Orders.place"));
		assertThat(definition.add(Said.rate(1).byCode("Orders.place", "b.Orders.place"))).isTrue();
	}

	@Test
	void acceptsTwoDeclarationsAtOnePlaceThatDoesNotNameTheLimit() {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(Said.rate(1).byCodeWithoutAName("Orders.place", "a.Orders.place"));
		assertThat(definition.add(Said.nothing().byCodeWithoutAName("Orders.place", "a.Orders.place"))).isTrue();
	}

	private static LimitDefinition declared(Said said) {
		LimitDefinition definition = LimitDefinition.tuned(null);
		definition.add(said.byCode("orders", "Orders.place"));
		return definition;
	}

	private RateLimiterSettings configured(Said said) {
		return LimitDefinition.created(said.byConfiguration("orders")).settings(null, this.stores);
	}

	private static void fault(Runnable runnable, Consumer<Fault> check) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(runnable::run)
			.satisfies((ex) -> assertThat(ex.getFaults()).singleElement().satisfies(check))
			.satisfies(
					(ex) -> assertThat(List.of(ex.getMessage())).isEqualTo(List.of(ex.getFaults().get(0).problem())));
	}

}
