package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.RouteLimits;
import dev.ratelimit.web.RouteOrder;
import dev.ratelimit.web.RouteRuntimeHints;
import dev.ratelimit.web.reactive.RateLimitExceptionAdvice;
import dev.ratelimit.web.reactive.RouteLimitWebFilter;
import dev.ratelimit.web.servlet.FilterFailureAnswer;
import dev.ratelimit.web.servlet.RouteLimitFilter;
import dev.ratelimit.web.servlet.ServletCallContextSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * {@link AutoConfiguration Auto-configuration} of the filters that limit requests by the
 * routes below {@code ratelimit.http.routes}.
 */
@AutoConfiguration(after = { RateLimitAspectAutoConfiguration.class, RateLimitWebMvcAutoConfiguration.class,
		RateLimitWebFluxAutoConfiguration.class })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional(OnRoutesCondition.class)
@ImportRuntimeHints(RouteRuntimeHints.class)
public final class RateLimitRoutesAutoConfiguration {

	/**
	 * Behind Spring Security's filter, which Spring Boot puts at -100 in either kind of
	 * web application.
	 */
	private static final int AFTER_SECURITY = -90;

	/**
	 * Before it, and behind the filter that binds a request to its thread, at -105.
	 */
	private static final int BEFORE_SECURITY = -102;

	@Bean
	RouteLimits rateLimitRouteLimits(RateLimitProperties properties, RateLimiterRegistry registry,
			ListableBeanFactory beanFactory) {
		List<RouteProperties> routes = properties.getHttp().getRoutes();
		return new RouteLimits(
				IntStream.range(0, routes.size()).mapToObj((index) -> routes.get(index).toRoute(index)).toList(),
				registry, new BeanFactoryResolver(beanFactory));
	}

	/**
	 * The filters of a servlet application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class ServletConfiguration {

		@Bean
		FilterFailureAnswer rateLimitFilterFailureAnswer(ListableBeanFactory beanFactory,
				RateLimitProblemMapper problemMapper, RateLimitHeaders headers) {
			return new FilterFailureAnswer(beanFactory, problemMapper, headers);
		}

		@Bean
		RouteLimitFilter rateLimitFilterBeforeSecurity(RouteLimits limits, ClientIpResolver clientIpResolver,
				RateLimitHeaders headers, FilterFailureAnswer answer) {
			return new RouteLimitFilter(RouteOrder.BEFORE_SECURITY, BEFORE_SECURITY, limits,
					new ServletCallContextSource(clientIpResolver, headers), answer);
		}

		@Bean
		RouteLimitFilter rateLimitFilterAfterSecurity(RouteLimits limits, ClientIpResolver clientIpResolver,
				RateLimitHeaders headers, FilterFailureAnswer answer) {
			return new RouteLimitFilter(RouteOrder.AFTER_SECURITY, AFTER_SECURITY, limits,
					new ServletCallContextSource(clientIpResolver, headers), answer);
		}

	}

	/**
	 * The filters of a reactive application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveConfiguration {

		@Bean
		dev.ratelimit.web.reactive.FilterFailureAnswer rateLimitFilterFailureAnswer(ListableBeanFactory beanFactory,
				RateLimitExceptionAdvice advice) {
			return new dev.ratelimit.web.reactive.FilterFailureAnswer(beanFactory, advice);
		}

		@Bean
		RouteLimitWebFilter rateLimitFilterBeforeSecurity(RouteLimits limits,
				dev.ratelimit.web.reactive.FilterFailureAnswer answer) {
			return new RouteLimitWebFilter(RouteOrder.BEFORE_SECURITY, BEFORE_SECURITY, limits, answer);
		}

		@Bean
		RouteLimitWebFilter rateLimitFilterAfterSecurity(RouteLimits limits,
				dev.ratelimit.web.reactive.FilterFailureAnswer answer) {
			return new RouteLimitWebFilter(RouteOrder.AFTER_SECURITY, AFTER_SECURITY, limits, answer);
		}

	}

}
