package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

import dev.ratelimit.aspect.LimitedMethodRuntimeHints;
import dev.ratelimit.aspect.RateLimitedAdvisor;
import dev.ratelimit.aspect.RateLimitedBeansVerifier;
import dev.ratelimit.aspect.RateLimitedMethods;
import dev.ratelimit.aspect.RateLimitedOperationSource;
import dev.ratelimit.aspect.RateLimitedProxyCreatorRegistrar;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} of the advice that limits the methods
 * annotated with {@link dev.ratelimit.annotation.RateLimited}. The advice takes the
 * environment from the context: as a bean it is gone once the context is closed, when
 * failure analyzers still make beans that the advice is asked for.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ImportRuntimeHints(LimitedMethodRuntimeHints.class)
public final class RateLimitAspectAutoConfiguration {

	private static final String EXECUTOR_BEAN_NAME = "applicationTaskExecutor";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedOperationSource rateLimitedOperationSource(ApplicationContext context) {
		return new RateLimitedOperationSource(context.getEnvironment()::resolveRequiredPlaceholders);
	}

	@Bean
	RateLimitedMethods rateLimitedMethods(RateLimitedOperationSource operationSource, RateLimiterRegistry registry,
			ObjectProvider<CallContext.Source> contextSource, ListableBeanFactory beanFactory,
			ObjectProvider<TaskDecorator> taskDecorators) {
		Supplier<List<TaskDecorator>> decorators = SingletonSupplier.of(() -> taskDecorators.orderedStream().toList());
		return new RateLimitedMethods(operationSource, registry, contextSource.getIfAvailable(),
				BeansOfExpressions.of(beanFactory), SingletonSupplier.of(() -> executor(beanFactory)),
				(task) -> decorate(task, decorators.get()));
	}

	@Bean
	RateLimitedBeansVerifier rateLimitedBeansVerifier(ConfigurableListableBeanFactory beanFactory,
			RateLimitedOperationSource operationSource, RateLimitedMethods methods, RateLimiterRegistry registry,
			RateLimitProperties properties) {
		return new RateLimitedBeansVerifier(beanFactory, operationSource, methods, registry, properties.isEnabled(),
				properties.getVerify());
	}

	private static Executor executor(BeanFactory beanFactory) {
		return beanFactory.containsBean(EXECUTOR_BEAN_NAME) ? beanFactory.getBean(EXECUTOR_BEAN_NAME, Executor.class)
				: ForkJoinPool.commonPool();
	}

	private static Runnable decorate(Runnable task, List<TaskDecorator> decorators) {
		Runnable decorated = task;
		for (TaskDecorator decorator : decorators) {
			decorated = decorator.decorate(decorated);
		}
		return decorated;
	}

	/**
	 * The advice itself, in a proxy for each bean with annotated methods.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
	@Import(RateLimitedProxyCreatorRegistrar.class)
	static class AdviceConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static RateLimitedAdvisor rateLimitedAdvisor(RateLimitedOperationSource operationSource,
				ObjectProvider<RateLimitedMethods> methods, ApplicationContext context) {
			Environment environment = context.getEnvironment();
			int order = environment.getProperty("ratelimit.order", Integer.class, RateLimitProperties.DEFAULT_ORDER);
			boolean classProxies = RateLimitedProxyCreatorRegistrar.usesClassProxies(environment);
			return new RateLimitedAdvisor(operationSource, SingletonSupplier.of(methods::getObject), classProxies,
					order);
		}

	}

}
