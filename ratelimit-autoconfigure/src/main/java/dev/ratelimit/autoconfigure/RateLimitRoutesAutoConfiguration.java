package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitConfigurationException;
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
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.pattern.PathPatternParser;

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
	 * Where Spring Boot puts Spring Security's filter in either kind of web application.
	 */
	private static final int SECURITY = -100;

	private static final int BEHIND = 10;

	/**
	 * Behind the filter that binds a request to its thread, at -105.
	 */
	private static final int BEFORE = -2;

	private static RouteLimits limits(RateLimitProperties properties, RateLimiterRegistry registry,
			ListableBeanFactory beanFactory, Supplier<@Nullable PathPatternParser> configuredParser) {
		List<RouteProperties> routes = properties.getHttp().getRoutes();
		return new RouteLimits(
				IntStream.range(0, routes.size()).mapToObj((index) -> routes.get(index).toRoute(index)).toList(),
				registry, BeansOfExpressions.of(beanFactory),
				() -> Objects.requireNonNullElse(configuredParser.get(), PathPatternParser.defaultInstance));
	}

	/**
	 * The filters of a servlet application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class ServletConfiguration {

		/**
		 * The bean of Spring MVC that parses the patterns of its handlers.
		 */
		private static final String PATTERN_PARSER = "mvcPatternParser";

		@Bean
		RouteLimits rateLimitRouteLimits(RateLimitProperties properties, RateLimiterRegistry registry,
				ListableBeanFactory beanFactory) {
			return limits(properties, registry, beanFactory, () -> beanFactory.containsBean(PATTERN_PARSER)
					? beanFactory.getBean(PATTERN_PARSER, PathPatternParser.class) : null);
		}

		@Bean
		FilterFailureAnswer rateLimitFilterFailureAnswer(ListableBeanFactory beanFactory,
				RateLimitProblemMapper problemMapper, RateLimitHeaders headers) {
			return new FilterFailureAnswer(beanFactory, problemMapper, headers, () -> corsFilters(beanFactory));
		}

		/**
		 * Finds those that are beans and those that are registered for all paths.
		 */
		private static Stream<CorsFilter> corsFilters(ListableBeanFactory beanFactory) {
			ObjectProvider<FilterRegistrationBean<?>> registrations = beanFactory
				.getBeanProvider(ResolvableType.forRawClass(FilterRegistrationBean.class));
			Stream<Filter> registered = registrations.orderedStream()
				.filter((registration) -> registration.isEnabled() && registration.getUrlPatterns().isEmpty())
				.map(FilterRegistrationBean::getFilter);
			return Stream.concat(registered, beanFactory.getBeanProvider(CorsFilter.class).orderedStream())
				.filter(CorsFilter.class::isInstance)
				.map(CorsFilter.class::cast)
				.distinct();
		}

		private static int security(Environment environment) {
			return environment.getProperty("spring.security.filter.order", Integer.class, SECURITY);
		}

		@Bean
		RouteLimitFilter rateLimitFilterBeforeSecurity(RouteLimits limits, ClientIpResolver clientIpResolver,
				RateLimitHeaders headers, FilterFailureAnswer answer, Environment environment) {
			return new RouteLimitFilter(RouteOrder.BEFORE_SECURITY, security(environment) + BEFORE, limits,
					new ServletCallContextSource(clientIpResolver, headers), answer);
		}

		@Bean
		RouteLimitFilter rateLimitFilterAfterSecurity(RouteLimits limits, ClientIpResolver clientIpResolver,
				RateLimitHeaders headers, FilterFailureAnswer answer, Environment environment) {
			return new RouteLimitFilter(RouteOrder.AFTER_SECURITY, security(environment) + BEHIND, limits,
					new ServletCallContextSource(clientIpResolver, headers), answer);
		}

	}

	/**
	 * What becomes of routes that nothing would ask.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnMissingClass("org.springframework.web.servlet.DispatcherServlet")
	static class UnaskedConfiguration {

		@Bean
		SmartInitializingSingleton rateLimitUnaskedRoutes() {
			return () -> {
				throw new RateLimitConfigurationException(
						"ratelimit.http.routes limits nothing, for Spring MVC is not on the class path",
						"Add spring-webmvc, or remove the routes.");
			};
		}

	}

	/**
	 * The filters of a reactive application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class ReactiveConfiguration {

		/**
		 * The bean of WebFlux that parses the patterns of its handlers. Actuator has
		 * others of its type.
		 */
		private static final String HANDLER_MAPPING = "requestMappingHandlerMapping";

		@Bean
		RouteLimits rateLimitRouteLimits(RateLimitProperties properties, RateLimiterRegistry registry,
				ListableBeanFactory beanFactory) {
			return limits(properties, registry, beanFactory, () -> beanFactory.containsBean(HANDLER_MAPPING)
					? beanFactory.getBean(HANDLER_MAPPING, RequestMappingHandlerMapping.class).getPathPatternParser()
					: null);
		}

		@Bean
		dev.ratelimit.web.reactive.FilterFailureAnswer rateLimitFilterFailureAnswer(ListableBeanFactory beanFactory,
				RateLimitExceptionAdvice advice) {
			return new dev.ratelimit.web.reactive.FilterFailureAnswer(beanFactory, advice);
		}

		@Bean
		RouteLimitWebFilter rateLimitFilterBeforeSecurity(RouteLimits limits,
				dev.ratelimit.web.reactive.FilterFailureAnswer answer, ApplicationContext application) {
			return new RouteLimitWebFilter(RouteOrder.BEFORE_SECURITY, SECURITY + BEFORE, limits, answer, application);
		}

		@Bean
		RouteLimitWebFilter rateLimitFilterAfterSecurity(RouteLimits limits,
				dev.ratelimit.web.reactive.FilterFailureAnswer answer, ApplicationContext application) {
			return new RouteLimitWebFilter(RouteOrder.AFTER_SECURITY, SECURITY + BEHIND, limits, answer, application);
		}

	}

}
