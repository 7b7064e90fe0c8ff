package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.aop.interceptor.AsyncUncaughtExceptionHandler;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Position of the advice among that of Spring.
 */
@Timeout(60)
class OrderTests {

	/**
	 * Last but for the limits: the order of other advice that limits are to stand before
	 * by default, and behind if told so.
	 */
	private static final int LATE = Ordered.LOWEST_PRECEDENCE - 50;

	private static final String BEHIND_LATE = "ratelimit.order=" + (LATE + 1);

	private final ManualTimeSource time = new ManualTimeSource();

	private final DecidingThreads decidingThreads = new DecidingThreads();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(DecidingThreads.class, () -> this.decidingThreads);

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void asyncCallTakesItsTokensOnTheAsyncThread() {
		this.runner.withUserConfiguration(AsyncConfiguration.class).run((context) -> {
			assertThat(context.getBean(AsyncService.class).result().get(30, TimeUnit.SECONDS)).isEqualTo("value");
			assertThat(this.decidingThreads.names()).singleElement().asString().startsWith("async-");
		});
	}

	@Test
	void asyncCallWaitsOnTheAsyncThread() {
		this.runner.withUserConfiguration(AsyncConfiguration.class).run((context) -> {
			AsyncService service = context.getBean(AsyncService.class);
			service.waiting();
			SpinWait.until(() -> service.bodies() == 1);
			service.waiting();
			SpinWait.until(() -> this.time.waiters() == 1);
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> service.bodies() == 2);
		});
	}

	@Test
	void refusalOfAnAsyncCallArrivesInItsFuture() {
		this.runner.withUserConfiguration(AsyncConfiguration.class).run((context) -> {
			AsyncService service = context.getBean(AsyncService.class);
			service.result().get(30, TimeUnit.SECONDS);
			CompletableFuture<String> refused = service.result();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
				.withCauseInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void refusalOfAnAsyncCallWithoutResultGoesToTheHandlerOfUncaughtExceptions() {
		this.runner.withUserConfiguration(AsyncConfiguration.class).run((context) -> {
			AsyncService service = context.getBean(AsyncService.class);
			service.refusing();
			service.refusing();
			List<Throwable> uncaught = context.getBean(AsyncConfiguration.class).uncaught;
			SpinWait.until(() -> !uncaught.isEmpty());
			assertThat(uncaught).singleElement().isInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void asyncCallsWithResultsThatWaitEndThoughTheirExecutorHasOneThread() {
		this.runner.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withPropertyValues("spring.task.execution.pool.core-size=1", "ratelimit.buckets.asyncResult.mode=wait")
			.withUserConfiguration(BootAsyncConfiguration.class)
			.run((context) -> {
				AsyncService service = context.getBean(AsyncService.class);
				service.result().get(30, TimeUnit.SECONDS);
				CompletableFuture<String> first = service.result();
				CompletableFuture<String> second = service.result();
				SpinWait.until(() -> this.time.waiters() == 1);
				this.time.advance(Duration.ofSeconds(1));
				assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("value");
				SpinWait.until(() -> this.time.waiters() == 1);
				this.time.advance(Duration.ofSeconds(1));
				assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("value");
			});
	}

	@Test
	void deniedCallerTakesNoToken() {
		this.runner.withUserConfiguration(SecurityConfiguration.class).run((context) -> {
			SecuredService service = context.getBean(SecuredService.class);
			logIn("USER");
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(service::forAdministrators);
			assertThat(limiter(context, "secured").bucket().availableTokens()).isEqualTo(1);
			logIn("ADMIN");
			service.forAdministrators();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::forAdministrators);
		});
	}

	@Test
	void deniedCallerIsDeniedThoughNoTokenIsThere() {
		this.runner.withUserConfiguration(SecurityConfiguration.class).run((context) -> {
			limiter(context, "secured").bucket().tryAcquire();
			logIn("USER");
			assertThatExceptionOfType(AccessDeniedException.class)
				.isThrownBy(context.getBean(SecuredService.class)::forAdministrators);
		});
	}

	@Test
	void orderMovesTheLimitBeforeMethodSecurity() {
		this.runner.withUserConfiguration(SecurityConfiguration.class)
			.withPropertyValues("ratelimit.order=0")
			.run((context) -> {
				logIn("USER");
				assertThatExceptionOfType(AccessDeniedException.class)
					.isThrownBy(context.getBean(SecuredService.class)::forAdministrators);
				assertThat(limiter(context, "secured").bucket().availableTokens()).isZero();
			});
	}

	private static void logIn(String role) {
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("alice", "password", "ROLE_" + role));
	}

	@Test
	void waitHoldsNoTransaction() {
		this.runner.withUserConfiguration(TransactionConfiguration.class).run((context) -> {
			TransactionalService service = context.getBean(TransactionalService.class);
			RecordingTransactionManager transactions = context.getBean(RecordingTransactionManager.class);
			service.call();
			assertThat(transactions.begun).hasValue(1);
			Thread waiting = start(service::call);
			assertThat(transactions.begun).hasValue(1);
			end(waiting);
			assertThat(transactions.begun).hasValue(2);
			assertThat(transactions.committed).hasValue(2);
		});
	}

	@Test
	void refusedCallBeginsNoTransaction() {
		this.runner.withUserConfiguration(TransactionConfiguration.class)
			.withPropertyValues("ratelimit.buckets.transactional.mode=reject")
			.run((context) -> {
				TransactionalService service = context.getBean(TransactionalService.class);
				service.call();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::call);
				assertThat(context.getBean(RecordingTransactionManager.class).begun).hasValue(1);
			});
	}

	@Test
	void orderMovesTheLimitIntoTheTransaction() {
		this.runner.withUserConfiguration(LateTransactionConfiguration.class)
			.withPropertyValues(BEHIND_LATE)
			.run((context) -> {
				TransactionalService service = context.getBean(TransactionalService.class);
				RecordingTransactionManager transactions = context.getBean(RecordingTransactionManager.class);
				service.call();
				Thread waiting = start(service::call);
				assertThat(transactions.begun).hasValue(2);
				assertThat(transactions.committed).hasValue(1);
				end(waiting);
			});
	}

	@Test
	void limitStandsBeforeATransactionThatIsLateButNotLast() {
		this.runner.withUserConfiguration(LateTransactionConfiguration.class).run((context) -> {
			TransactionalService service = context.getBean(TransactionalService.class);
			service.call();
			Thread waiting = start(service::call);
			assertThat(context.getBean(RecordingTransactionManager.class).begun).hasValue(1);
			end(waiting);
		});
	}

	@Test
	void cacheHitPays() {
		this.runner.withUserConfiguration(CacheConfiguration.class).run((context) -> {
			CachedService service = context.getBean(CachedService.class);
			assertThat(service.find("a")).isEqualTo(service.find("a"));
			assertThat(service.bodies()).isEqualTo(1);
			assertThat(limiter(context, "cached").bucket().availableTokens()).isZero();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.find("a"));
		});
	}

	@Test
	void orderMovesTheLimitBehindTheCache() {
		this.runner.withUserConfiguration(LateCacheConfiguration.class)
			.withPropertyValues(BEHIND_LATE)
			.run((context) -> {
				CachedService service = context.getBean(CachedService.class);
				for (int i = 0; i < 10; i++) {
					service.find("a");
				}
				assertThat(limiter(context, "cached").bucket().availableTokens()).isEqualTo(1);
			});
	}

	@Test
	void eachRunOfAScheduledMethodPaysAndARefusedOneDoesNotEndTheSchedule() {
		this.runner.withUserConfiguration(SchedulingConfiguration.class).run((context) -> {
			List<Throwable> errors = context.getBean(SchedulingConfiguration.class).errors;
			ScheduledService service = context.getBean(ScheduledService.class);
			SpinWait.until(() -> errors.size() >= 3);
			assertThat(service.bodies()).isEqualTo(1);
			assertThat(errors).allSatisfy((error) -> assertThat(error).isInstanceOf(RateLimitExceededException.class));
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> service.bodies() == 2);
		});
	}

	@Test
	void eachAttemptOfARetryableMethodPays() {
		this.runner.withUserConfiguration(ResilienceConfiguration.class).run((context) -> {
			ResilientService service = context.getBean(ResilientService.class);
			assertThatIllegalStateException().isThrownBy(service::failing).withMessage("attempt 3");
			assertThat(limiter(context, "failing").bucket().availableTokens()).isEqualTo(7);
		});
	}

	@Test
	void refusalIsRetriedByARetryableMethodThatDoesNotExcludeIt() {
		this.runner.withUserConfiguration(ResilienceConfiguration.class).run((context) -> {
			ResilientService service = context.getBean(ResilientService.class);
			service.retryingRefusals();
			this.decidingThreads.rejected.set(0);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::retryingRefusals);
			assertThat(this.decidingThreads.rejected).hasValue(3);
		});
	}

	@Test
	void refusalIsNotRetriedByARetryableMethodThatExcludesIt() {
		this.runner.withUserConfiguration(ResilienceConfiguration.class).run((context) -> {
			ResilientService service = context.getBean(ResilientService.class);
			service.excludingRefusals();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::excludingRefusals);
			assertThat(this.decidingThreads.rejected).hasValue(1);
		});
	}

	@Test
	void waitHoldsASlotOfAConcurrencyLimit() {
		this.runner.withUserConfiguration(ResilienceConfiguration.class).run((context) -> {
			ResilientService service = context.getBean(ResilientService.class);
			service.oneAtATime();
			Thread first = start(service::oneAtATime);
			Thread second = new Thread(service::oneAtATime);
			second.start();
			SpinWait.until(() -> second.getState() == Thread.State.WAITING);
			assertThat(limiter(context, "oneAtATime").waiters()).isEqualTo(1);
			end(first);
			SpinWait.until(() -> limiter(context, "oneAtATime").waiters() == 1);
			end(second);
		});
	}

	@Test
	void springRetryPaysOnceForAllAttempts() {
		this.runner.withUserConfiguration(SpringRetryConfiguration.class).run((context) -> {
			SpringRetryService service = context.getBean(SpringRetryService.class);
			assertThatIllegalStateException().isThrownBy(service::failing).withMessage("attempt 3");
			assertThat(limiter(context, "springRetry").bucket().availableTokens()).isEqualTo(9);
		});
	}

	@Test
	void springRetryDoesNotSeeRefusals() {
		this.runner.withUserConfiguration(SpringRetryConfiguration.class)
			.withPropertyValues("ratelimit.buckets.springRetry.capacity=1")
			.run((context) -> {
				SpringRetryService service = context.getBean(SpringRetryService.class);
				assertThatIllegalStateException().isThrownBy(service::failing);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::failing);
				assertThat(this.decidingThreads.rejected).hasValue(1);
			});
	}

	@Test
	void orderMovesTheLimitIntoSpringRetry() {
		this.runner.withUserConfiguration(LateSpringRetryConfiguration.class)
			.withPropertyValues(BEHIND_LATE)
			.run((context) -> {
				SpringRetryService service = context.getBean(SpringRetryService.class);
				assertThatIllegalStateException().isThrownBy(service::failing);
				assertThat(limiter(context, "springRetry").bucket().availableTokens()).isEqualTo(7);
			});
	}

	/**
	 * Starts a call that is to wait for tokens, and returns when it does.
	 */
	private Thread start(Runnable call) {
		Thread thread = new Thread(call);
		thread.setDaemon(true);
		thread.start();
		SpinWait.until(() -> this.time.waiters() == 1);
		return thread;
	}

	private void end(Thread waiting) throws InterruptedException {
		SpinWait.until(() -> this.time.waiters() == 1);
		this.time.advance(Duration.ofSeconds(1));
		waiting.join(TimeUnit.SECONDS.toMillis(30));
		assertThat(waiting.isAlive()).isFalse();
	}

	private static RateLimiter limiter(AssertableApplicationContext context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name);
	}

	static final class DecidingThreads implements RateLimitListener {

		private final List<String> names = new CopyOnWriteArrayList<>();

		private final AtomicInteger rejected = new AtomicInteger();

		List<String> names() {
			return this.names;
		}

		@Override
		public void allowed(RateLimiter limiter, String key, long tokens) {
			this.names.add(Thread.currentThread().getName());
		}

		@Override
		public void rejected(RateLimiter limiter, String key, long tokens) {
			this.rejected.incrementAndGet();
		}

	}

	abstract static class CountingService {

		private final AtomicInteger bodies = new AtomicInteger();

		int run() {
			return this.bodies.incrementAndGet();
		}

		int bodies() {
			return this.bodies.get();
		}

	}

	static class AsyncService extends CountingService {

		@Async
		@RateLimited(name = "asyncResult", rate = 1)
		public CompletableFuture<String> result() {
			return CompletableFuture.completedFuture("value");
		}

		@Async
		@RateLimited(name = "asyncWaiting", rate = 1, mode = RateLimitMode.WAIT)
		public void waiting() {
			run();
		}

		@Async
		@RateLimited(name = "asyncRefusing", rate = 1)
		public void refusing() {
			run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration implements AsyncConfigurer {

		private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

		@Bean
		AsyncService asyncService() {
			return new AsyncService();
		}

		@Override
		public SimpleAsyncTaskExecutor getAsyncExecutor() {
			return new SimpleAsyncTaskExecutor("async-");
		}

		@Override
		public AsyncUncaughtExceptionHandler getAsyncUncaughtExceptionHandler() {
			return (ex, method, arguments) -> this.uncaught.add(ex);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class BootAsyncConfiguration {

		@Bean
		AsyncService asyncService() {
			return new AsyncService();
		}

	}

	static class SecuredService {

		@PreAuthorize("hasRole('ADMIN')")
		@RateLimited(name = "secured", rate = 1)
		public void forAdministrators() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class SecurityConfiguration {

		@Bean
		SecuredService securedService() {
			return new SecuredService();
		}

	}

	static class TransactionalService {

		@Transactional
		@RateLimited(name = "transactional", rate = 1, mode = RateLimitMode.WAIT)
		public void call() {
		}

	}

	static final class RecordingTransactionManager extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final AtomicInteger begun = new AtomicInteger();

		private final AtomicInteger committed = new AtomicInteger();

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
			this.committed.incrementAndGet();
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			throw new AssertionError("rolled back");
		}

	}

	static class TransactionBeans {

		@Bean
		TransactionalService transactionalService() {
			return new TransactionalService();
		}

		@Bean
		RecordingTransactionManager transactionManager() {
			return new RecordingTransactionManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration extends TransactionBeans {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = LATE)
	static class LateTransactionConfiguration extends TransactionBeans {

	}

	static class CachedService extends CountingService {

		@Cacheable("found")
		@RateLimited(name = "cached", rate = 2)
		public String find(String id) {
			return id + run();
		}

	}

	static class CacheBeans {

		@Bean
		CachedService cachedService() {
			return new CachedService();
		}

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CacheConfiguration extends CacheBeans {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(order = LATE)
	static class LateCacheConfiguration extends CacheBeans {

	}

	static class ScheduledService extends CountingService {

		@Scheduled(fixedDelay = 1)
		@RateLimited(name = "scheduled", rate = 1)
		public void tick() {
			run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class SchedulingConfiguration {

		private final List<Throwable> errors = new CopyOnWriteArrayList<>();

		@Bean
		ScheduledService scheduledService() {
			return new ScheduledService();
		}

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setErrorHandler(this.errors::add);
			return scheduler;
		}

	}

	static class ResilientService extends CountingService {

		@Retryable(maxRetries = 2, delay = 0)
		@RateLimited(name = "failing", rate = 10)
		public void failing() {
			throw new IllegalStateException("attempt " + run());
		}

		@Retryable(maxRetries = 2, delay = 0)
		@RateLimited(name = "retryingRefusals", rate = 1)
		public void retryingRefusals() {
		}

		@Retryable(maxRetries = 2, delay = 0, excludes = RateLimitExceededException.class)
		@RateLimited(name = "excludingRefusals", rate = 1)
		public void excludingRefusals() {
		}

		@ConcurrencyLimit(1)
		@RateLimited(name = "oneAtATime", rate = 1, mode = RateLimitMode.WAIT)
		public void oneAtATime() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class ResilienceConfiguration {

		@Bean
		ResilientService resilientService() {
			return new ResilientService();
		}

	}

	static class SpringRetryService extends CountingService {

		@org.springframework.retry.annotation.Retryable(maxAttempts = 3, backoff = @Backoff(0))
		@RateLimited(name = "springRetry", rate = 10)
		public void failing() {
			throw new IllegalStateException("attempt " + run());
		}

	}

	static class SpringRetryBeans {

		@Bean
		SpringRetryService springRetryService() {
			return new SpringRetryService();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry
	static class SpringRetryConfiguration extends SpringRetryBeans {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(order = LATE)
	static class LateSpringRetryConfiguration extends SpringRetryBeans {

	}

}
