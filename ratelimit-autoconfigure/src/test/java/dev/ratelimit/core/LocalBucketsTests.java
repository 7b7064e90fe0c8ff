package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the buckets of keys in memory: when they come, when they go, and which is
 * whose.
 */
class LocalBucketsTests {

	private static final RateLimit LIMIT = RateLimit.of(10, Duration.ofSeconds(1), 5);

	private final ManualTimeSource time = new ManualTimeSource();

	private final TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT));

	@Test
	void areNotMadeForBeingLookedAt() {
		assertThat(this.buckets.availableTokens("alice")).isEqualTo(5);
		assertThat(this.buckets.keys()).isZero();
	}

	@Test
	void areNotMadeForBeingFilled() {
		this.buckets.refill("alice");
		assertThat(this.buckets.keys()).isZero();
	}

	@Test
	void areThoseOfTheStoreThatIsChosenAsLocal() {
		assertThat(new LocalTokenBucketStore(this.time).name()).isEqualTo("local");
	}

	@Test
	void areMadeForBeingAsked() {
		this.buckets.tryAcquire("alice", 1);
		this.buckets.reserve("bob", 1, 0);
		assertThat(this.buckets.keys()).isEqualTo(2);
	}

	@Test
	void goOnceTheyHaveBeenFullForAWhile() {
		this.buckets.tryAcquire("alice", 5);
		this.time.advance(Duration.ofMillis(400));
		assertThat(this.buckets.keys()).isEqualTo(1);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.buckets.keys()).isZero();
	}

	@Test
	void stayWhileTheyAreUsed() {
		for (int i = 0; i < 100; i++) {
			assertThat(this.buckets.tryAcquire("alice", 5)).isTrue();
			this.time.advance(Duration.ofMillis(500));
		}
		assertThat(this.buckets.availableTokens("alice")).isEqualTo(5);
		assertThat(this.buckets.keys()).isEqualTo(1);
	}

	@Test
	void stayWhileTheyOweTokens() {
		this.buckets.tryAcquire("alice", 5);
		for (int i = 0; i < 10; i++) {
			assertThat(this.buckets.reserve("alice", 5, Long.MAX_VALUE).granted()).isTrue();
		}
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.buckets.keys()).isEqualTo(1);
		assertThat(this.buckets.tryAcquire("alice", 1)).isFalse();
		this.time.advance(Duration.ofMillis(100));
		assertThat(this.buckets.tryAcquire("alice", 1)).isTrue();
	}

	@Test
	void areFilledOneByOneOrAllTogether() {
		this.buckets.tryAcquire("alice", 5);
		this.buckets.tryAcquire("bob", 5);
		this.buckets.tryAcquire(null, 5);
		this.buckets.refill("alice");
		assertThat(this.buckets.availableTokens("alice")).isEqualTo(5);
		assertThat(this.buckets.availableTokens("bob")).isZero();
		this.buckets.refill(null);
		assertThat(this.buckets.availableTokens(null)).isEqualTo(5);
		assertThat(this.buckets.availableTokens("bob")).isZero();
		this.buckets.refillAll();
		assertThat(this.buckets.availableTokens("bob")).isEqualTo(5);
	}

	@Test
	void areDroppedAndCountedWhereThereIsNoRoomForThem() {
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).maxKeys(10));
		for (int i = 0; i < 30; i++) {
			assertThat(buckets.tryAcquire("key " + i, 1)).isTrue();
		}
		assertThat(buckets.keys()).isEqualTo(10);
		assertThat(buckets.dropped()).isEqualTo(20);
	}

	@Test
	void warnOnceWhenTheyAreDropped() {
		List<LogRecord> records = new ArrayList<>();
		Logger logger = Logger.getLogger(LocalBuckets.class.getName());
		Handler recorder = recorder(records);
		logger.addHandler(recorder);
		try {
			TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).maxKeys(1));
			for (int i = 0; i < 5; i++) {
				buckets.tryAcquire("key " + i, 1);
			}
		}
		finally {
			logger.removeHandler(recorder);
		}
		assertThat(records).singleElement()
			.satisfies((warning) -> assertThat(warning.getLevel()).isEqualTo(Level.WARNING))
			.satisfies((warning) -> assertThat(new SimpleFormatter().formatMessage(warning))
				.startsWith("Rate limit 'orders' has more than 1 keys in use at once")
				.endsWith("Raise ratelimit.buckets.orders.max-keys."));
	}

	@Test
	void areNotCountedAsDroppedWhenTheyWereFull() {
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).maxKeys(10));
		for (int i = 0; i < 30; i++) {
			buckets.reserve("key " + i, 1, 0).cancel();
		}
		assertThat(buckets.keys()).isEqualTo(10);
		assertThat(buckets.dropped()).isZero();
	}

	@Test
	void stayEmptyAfterTheTimeInWhichTheyWereToBeFullBeforeTheLimitWasLowered() {
		this.buckets.tryAcquire("alice", 5);
		this.buckets.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		this.time.advance(Duration.ofSeconds(59));
		assertThat(this.buckets.keys()).isEqualTo(1);
		assertThat(this.buckets.tryAcquire("alice", 1)).isFalse();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.buckets.tryAcquire("alice", 1)).isTrue();
	}

	@Test
	void comeBackWhenAnotherIsMadeAfterTheLimitWasLowered() {
		this.buckets.tryAcquire("alice", 5);
		this.buckets.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		this.time.advance(Duration.ofSeconds(59));
		this.buckets.tryAcquire("bob", 1);
		assertThat(this.buckets.availableTokens("alice")).isZero();
	}

	@Test
	void getTheLimitInForceWhenTheyComeBack() {
		this.buckets.tryAcquire("alice", 5);
		this.buckets.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		this.time.advance(Duration.ofSeconds(30));
		this.buckets.change(LIMIT);
		assertThat(this.buckets.tryAcquire("alice", 1)).isFalse();
		this.time.advance(Duration.ofMillis(500));
		assertThat(this.buckets.tryAcquire("alice", 5)).isTrue();
	}

	@Test
	void areNotDroppedAsLongAsThereIsRoom() {
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).maxKeys(10));
		for (int i = 0; i < 10; i++) {
			buckets.tryAcquire("key " + i, 5);
		}
		assertThat(buckets.dropped()).isZero();
		assertThat(buckets.tryAcquire("key 0", 1)).isFalse();
	}

	@Test
	void getTheLimitInForceWhenTheyAreMade() {
		this.buckets.change(RateLimit.perSecond(20));
		assertThat(this.buckets.availableTokens("alice")).isEqualTo(20);
		assertThat(this.buckets.tryAcquire("alice", 20)).isTrue();
	}

	@Test
	void tellTheLimitOfTheirKeyBeforeTheyAreMade() {
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).keyLimit("vip", RateLimit.perSecond(50)));
		assertThat(buckets.availableTokens("vip")).isEqualTo(50);
		assertThat(buckets.availableTokens("alice")).isEqualTo(5);
	}

	@Test
	void keepTheLimitOfTheirKeyWhenTheOtherIsChanged() {
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).keyLimit("vip", RateLimit.perSecond(50)));
		buckets.tryAcquire("vip", 40);
		buckets.tryAcquire("alice", 1);
		buckets.change(RateLimit.perSecond(2));
		assertThat(buckets.availableTokens("vip")).isEqualTo(10);
		assertThat(buckets.availableTokens("alice")).isEqualTo(2);
		assertThat(buckets.tryAcquire("vip", 10)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 63, 64, 65, 66, 1_000 })
	void areEachTheirOwnHoweverLongTheirKeysAre(int length) {
		String key = "k".repeat(length - 1);
		assertThat(this.buckets.tryAcquire(key + "a", 5)).isTrue();
		assertThat(this.buckets.tryAcquire(key + "b", 5)).isTrue();
		assertThat(this.buckets.availableTokens(key + "a")).isZero();
		assertThat(this.buckets.tryAcquire(key + "a", 1)).isFalse();
	}

	@Test
	void findTheLimitOfALongKey() {
		String key = "k".repeat(1_000);
		TokenBucketStore.Buckets buckets = open(settings("orders", LIMIT).keyLimit(key, RateLimit.perSecond(50)));
		assertThat(buckets.tryAcquire(key, 50)).isTrue();
	}

	@Test
	void keepEmptyBucketsOfKeysThatTheOldLimitWouldHaveFilled() {
		slowDownEmptied("alice");
		assertThat(this.buckets.availableTokens("alice")).isZero();
		assertThat(this.buckets.tryAcquire("alice", 1)).isFalse();
	}

	@Test
	void fillABucketOfAKeyThatTheOldLimitWouldHaveFilled() {
		slowDownEmptied("alice");
		this.buckets.refill("alice");
		assertThat(this.buckets.tryAcquire("alice", 5)).isTrue();
	}

	@Test
	void fillAllBucketsOfKeysThatTheOldLimitWouldHaveFilled() {
		slowDownEmptied("alice");
		this.buckets.refillAll();
		assertThat(this.buckets.tryAcquire("alice", 5)).isTrue();
	}

	@Test
	void changeBucketsOfKeysThatTheOldLimitWouldHaveFilled() {
		slowDownEmptied("alice");
		this.buckets.change(LIMIT);
		this.buckets.keys();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.buckets.tryAcquire("alice", 5)).isTrue();
	}

	private void slowDownEmptied(String key) {
		this.buckets.tryAcquire(key, 5);
		this.buckets.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		this.time.advance(Duration.ofSeconds(30));
	}

	private static Handler recorder(List<LogRecord> records) {
		return new Handler() {

			@Override
			public void publish(LogRecord warning) {
				records.add(warning);
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
	}

	private TokenBucketStore.Buckets open(SettingsBuilder settings) {
		return new LocalTokenBucketStore(this.time).open(settings.build());
	}

}
