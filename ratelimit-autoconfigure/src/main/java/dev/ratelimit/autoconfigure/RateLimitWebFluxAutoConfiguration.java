package dev.ratelimit.autoconfigure;

import dev.ratelimit.aspect.RateLimitedMethods;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.reactive.CallContextWebFilter;
import dev.ratelimit.web.reactive.CallerWebFilter;
import dev.ratelimit.web.reactive.CatchAllHandlersCheck;
import dev.ratelimit.web.reactive.ExchangeCallContextSource;
import dev.ratelimit.web.reactive.RateLimitExceptionAdvice;
import dev.ratelimit.web.reactive.RateLimitWebExceptionHandler;
import dev.ratelimit.web.reactive.ReceivedRequests;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;

/**
 * {@link AutoConfiguration Auto-configuration} of how Spring WebFlux tells limits who is
 * calling and answers requests that failed at a limit.
 * <p>
 * Active whatever {@code ratelimit.enabled} says, since buckets used in code limit all
 * the same.
 */
@AutoConfiguration(after = RateLimitWebAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration",
				"org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration" })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
public final class RateLimitWebFluxAutoConfiguration {

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	@Bean
	@ConditionalOnMissingBean(CallContext.Source.class)
	ExchangeCallContextSource rateLimitCallContextSource(Environment environment) {
		return new ExchangeCallContextSource(executesBlockingMethodsOnVirtualThreads(environment));
	}

	@Bean
	ReceivedRequests rateLimitReceivedRequests() {
		return new ReceivedRequests();
	}

	@Bean
	CallContextWebFilter rateLimitCallContextWebFilter(ClientIpResolver clientIpResolver, RateLimitHeaders headers) {
		return new CallContextWebFilter(clientIpResolver, headers);
	}

	@Bean
	CallerWebFilter rateLimitCallerWebFilter(ObjectProvider<RateLimitedMethods> methods) {
		SingletonSupplier<RateLimitedMethods> limited = SingletonSupplier.ofNullable(methods::getIfAvailable);
		return new CallerWebFilter(() -> {
			RateLimitedMethods available = limited.get();
			return available != null && available.needsPrincipalAhead();
		});
	}

	@Bean
	RateLimitExceptionAdvice rateLimitExceptionAdvice(RateLimitProblemMapper problemMapper,
			ApplicationContext context) {
		return new RateLimitExceptionAdvice(problemMapper, context);
	}

	@Bean
	RateLimitWebExceptionHandler rateLimitWebExceptionHandler(RateLimitProblemMapper problemMapper) {
		return new RateLimitWebExceptionHandler(problemMapper);
	}

	@Bean
	CatchAllHandlersCheck rateLimitCatchAllHandlersCheck(ApplicationContext context) {
		return new CatchAllHandlersCheck(context);
	}

	private static boolean executesBlockingMethodsOnVirtualThreads(Environment environment) {
		return Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS
				&& environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
	}

}
