package dev.ratelimit.compat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the position of the advice among that of Spring.
 */
class AdviceOrderTests {

	@Test
	void refusalOfAnAsyncCallArrivesInItsFuture() {
		LimitedApplication.with(Application.class).run((context) -> {
			Service service = context.getBean(Service.class);
			String thread = service.async().get(30, TimeUnit.SECONDS);
			assertThat(thread).isNotEqualTo(Thread.currentThread().getName());
			CompletableFuture<String> refused = service.async();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
				.withCauseInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void aCachedResultCostsAToken() {
		LimitedApplication.with(Application.class).run((context) -> {
			Service service = context.getBean(Service.class);
			assertThat(service.cached()).isEqualTo(1);
			assertThat(service.cached()).isEqualTo(1);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::cached);
		});
	}

	@Test
	void aRefusedCallBeginsNoTransaction() {
		LimitedApplication.with(Application.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.transactional();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::transactional);
			assertThat(context.getBean(CountingTransactionManager.class).begun).hasValue(1);
		});
	}

	static class Service {

		private final AtomicInteger calls = new AtomicInteger();

		@Async
		@RateLimited(rate = 1)
		CompletableFuture<String> async() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@Cacheable("results")
		@RateLimited(rate = 2)
		int cached() {
			return this.calls.incrementAndGet();
		}

		@Transactional
		@RateLimited(rate = 1)
		void transactional() {
		}

	}

	@SuppressWarnings("serial")
	static class CountingTransactionManager extends AbstractPlatformTransactionManager {

		private final AtomicInteger begun = new AtomicInteger();

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.begun.incrementAndGet();
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableCaching
	@EnableTransactionManagement
	@Import(Service.class)
	static class Application {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

		@Bean
		CountingTransactionManager transactionManager() {
			return new CountingTransactionManager();
		}

	}

}
