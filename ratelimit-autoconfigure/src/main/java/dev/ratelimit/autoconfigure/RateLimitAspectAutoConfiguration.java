package dev.ratelimit.autoconfigure;

import dev.ratelimit.aspect.RateLimitedAdvisor;
import dev.ratelimit.aspect.RateLimitedBeansVerifier;
import dev.ratelimit.aspect.RateLimitedCalls;
import dev.ratelimit.aspect.RateLimitedOperationSource;
import dev.ratelimit.aspect.RateLimitedProxyCreatorRegistrar;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} of the advice that limits the methods
 * annotated with {@link dev.ratelimit.annotation.RateLimited}.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Import(RateLimitedProxyCreatorRegistrar.class)
public final class RateLimitAspectAutoConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedOperationSource rateLimitedOperationSource(Environment environment) {
		return new RateLimitedOperationSource(environment::resolveRequiredPlaceholders);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedAdvisor rateLimitedAdvisor(RateLimitedOperationSource operationSource,
			ObjectProvider<RateLimitedCalls> calls, Environment environment) {
		int order = environment.getProperty("ratelimit.order", Integer.class, RateLimitProperties.DEFAULT_ORDER);
		return new RateLimitedAdvisor(operationSource, SingletonSupplier.of(calls::getObject), order);
	}

	@Bean
	RateLimitedCalls rateLimitedCalls(RateLimitedOperationSource operationSource, RateLimiterRegistry registry,
			ObjectProvider<CallContext.Source> contextSource) {
		return new RateLimitedCalls(operationSource, registry, contextSource.getIfAvailable());
	}

	@Bean
	RateLimitedBeansVerifier rateLimitedBeansVerifier(ConfigurableListableBeanFactory beanFactory,
			RateLimitedOperationSource operationSource, RateLimiterRegistry registry) {
		return new RateLimitedBeansVerifier(beanFactory, operationSource, registry);
	}

}
